// What those who listen are told, kept word by word: roles, names, states and texts of a whole screen.
//
// Compared as a whole and not as a pattern, because a pattern lets pass what is new. What changes from run to
// run (times, names of people and builds, IDs) is named by its kind instead. `--update-snapshots` writes
// what is there now.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Page, expect, test } from '@playwright/test';
import { snapshotFile } from '../../fixtures/pictures';

const KINDS: [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID'],
  [/learner-\d+-\d+-\d+/g, 'LEARNER'],
  [/\bBuild [0-9a-f]{8}\b/g, 'Build BUILD'],
  [/127\.0\.0\.1:\d+/g, 'ADDRESS'],
  [/\b\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'INSTANT'],
  [/\bprocess \S+-\d+(?= )/g, 'process PROCESS'],
  // Also those of a record: which they are cannot be told from the hour.
  [/\b\d{1,2}:\d{2}\b/g, 'TIME'],
  [/\b(?:today|yesterday|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2} [A-Z][a-z]{2}) at TIME\b/g, 'WHEN'],
  [/\b\d{1,2} [A-Z][a-z]{2} \d{4}, TIME\b/g, 'WHEN'],
  [/(?:今天|昨天|\d+年\d+月\d+日) TIME/g, 'WHEN'],
  [/\b(?:under )?\d+ s\b|(?:不到 ?)?\d+ ?秒/g, 'SPAN'],
];

function byKind(text: string): string {
  return KINDS.reduce((text, [pattern, kind]) => text.replace(pattern, kind), text);
}

export async function keptSnapshot(page: Page, name: string): Promise<void> {
  const take = async (): Promise<string> => `${byKind(await page.locator('#root').ariaSnapshot())}\n`;
  const file = snapshotFile(name);
  const { updateSnapshots } = test.info().config;
  const write = updateSnapshots === 'all' || updateSnapshots === 'changed';
  if (write || (updateSnapshots === 'missing' && !existsSync(file))) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await take());
    expect.soft(write, `${name}.yml was missing and has been written`).toBe(true);
    return;
  }
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : '';
  await expect.configure({ soft: true }).poll(take, { message: `what ${name} tells those who listen` }).toBe(kept);
}
