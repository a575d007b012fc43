// What is measured inside the page, and how slow the phone is made.

import type { Page } from '@playwright/test';

/** A phone of the middle class beside the machine that measures. */
const SLOWER = 4;

type Probe = {
  /** Since navigation (ms): when the status first showed a state of the task. */
  known: number | undefined;
  /** Since navigation (ms): when the largest piece of the first screen was painted. */
  painted: number | undefined;
  /** The longest way from an input to the next frame (ms), for each interaction. */
  interactions: Record<string, number>;
  /** Writes and removals in local storage since the page opened. */
  writes: number;
};

/** Slows the page's processor down; its service worker, if any, is not slowed. */
export async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
}

export async function read(page: Page): Promise<Probe> {
  return page.evaluate(() => (window as unknown as { mooringProbe: Probe }).mooringProbe);
}

/** Runs in the page, before anything of it. */
export function install(): void {
  const probe: Probe = { known: undefined, painted: undefined, interactions: {}, writes: 0 };
  (window as unknown as { mooringProbe: Probe }).mooringProbe = probe;

  const look = (): void => {
    const status = document.querySelector<HTMLElement>('[role="status"]');
    if (probe.known === undefined && (status?.dataset.state ?? 'none') !== 'none') {
      // After the next frame: what is in the document is not yet before anybody's eyes.
      requestAnimationFrame(() => setTimeout(() => (probe.known ??= performance.now())));
    }
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });

  new PerformanceObserver((list) => {
    probe.painted = list.getEntries().at(-1)?.startTime ?? probe.painted;
  }).observe({ type: 'largest-contentful-paint', buffered: true });

  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId?: number })[]) {
      if (entry.interactionId) {
        const before = probe.interactions[entry.interactionId] ?? 0;
        probe.interactions[entry.interactionId] = Math.max(before, entry.duration);
      }
    }
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);

  for (const change of ['setItem', 'removeItem', 'clear'] as const) {
    const really = Storage.prototype[change] as (...args: string[]) => void;
    Storage.prototype[change] = function (this: Storage, ...args: string[]): void {
      if (this === localStorage) {
        probe.writes += 1;
      }
      really.apply(this, args);
    };
  }
}
