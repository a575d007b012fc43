// What every page runs before its own scripts: the watch over what a learner sees and over errors.
// The engines give the functions that it reports to.

import type { Line, Seen } from '../fixtures/watch';
import { watchPage } from '../fixtures/watch/page';

/** Runs in the page. */
function watchErrors(): void {
  const { mooringErred } = window as unknown as { mooringErred(error: string): unknown };
  const tell = (error: unknown): void => void mooringErred(String(error));
  addEventListener('error', (event) => {
    // A file that did not come has no message: with a network that is cut, that is the story.
    if (event.message) {
      tell(event.message);
    }
  });
  addEventListener('unhandledrejection', (event) => tell(event.reason));
  const say = console.error;
  console.error = (...words: unknown[]): void => {
    tell(words.map(String).join(' '));
    say(...words);
  };
}

/** The functions, by the names of those whom they report to. */
export const REPORTS = ['mooringSaw', 'mooringRead', 'mooringErred'] as const;

export type Reports = {
  mooringSaw(seen: Seen): void;
  mooringRead(line: Line): void;
  mooringErred(error: string): void;
};

export const PRELOAD = `(${watchPage.toString()})();(${watchErrors.toString()})();`;
