// What a story may do with a browser, whichever engine drives the page. Stories are told with the
// steps in phone.ts; this is what each engine has to be able to do for them, and nothing more.

import type { Reports } from './preload';

/** What a control is to those who listen; for what unfolds others, browsers do not agree on a role. */
export type Role = 'button' | 'link' | 'heading' | 'textbox' | 'combobox' | 'disclosure';

/** One tab. What answers with false found nothing to do it to, or not yet: the caller waits. */
export interface Tab {
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** Brings it before the learner's eyes; where each tab is a window they all are. */
  front(): Promise<void>;
  close(): Promise<void>;
  has(role: Role, name: string): Promise<boolean>;
  press(role: Role, name: string): Promise<boolean>;
  /** Types key by key, at the end of what stands in the field. */
  type(label: string, text: string): Promise<boolean>;
  choose(label: string, option: string): Promise<boolean>;
  /** What stands in a field. */
  value(label: string): Promise<string | undefined>;
  /** The value of an expression, awaited in the page. */
  read<T>(expression: string): Promise<T>;
}

/** A running browser with one profile. */
export interface Browser {
  newTab(): Promise<Tab>;
  /** Its process ends; the profile stays. */
  end(): Promise<void>;
}

/** Where a browser keeps its things, how it reaches the server, and who hears what its pages report. */
export type Device = {
  profile: string;
  proxy: string;
  reports: Reports;
};

export interface Engine {
  start(device: Device): Promise<Browser>;
  stop(): Promise<void>;
}

export const PHONE = { width: 360, height: 740 };

/** Two of the same name would make a story tell of either. */
export function only<T>(found: readonly T[], role: Role, name: string): T | undefined {
  if (found.length > 1) {
    throw new Error(`there are ${found.length} of ${role} "${name}"`);
  }
  return found[0];
}
