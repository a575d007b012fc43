// The README's pictures are there, and show what the screens say now. What a screen says is kept as a snapshot
// (`snapshots/`); a picture notes which one it was taken of. Whoever changes a screen's words takes new
// pictures (`cargo xtask pictures`); how it is coloured may change without.

import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { SCHEMES, SHOWN, SIZES, folder, noteOf, readme, told } from '../fixtures/pictures';

const names = SHOWN.flatMap((name) => SIZES.flatMap((size) => SCHEMES.map((scheme) => `${name}-${size}-${scheme}.webp`)));

test('each scene has its pictures, and there are no others', () => {
  const found = readdirSync(folder).filter((name) => name.endsWith('.webp'));
  expect(found.sort()).toEqual([...names].sort());
  const bytes = found.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(bytes).toBeLessThan(600_000);
});

test('the pictures show what the screens say now', () => {
  const old = SHOWN.filter((name) => !existsSync(noteOf(name)) || readFileSync(noteOf(name), 'utf8') !== told(name));
  expect(old, 'take them anew: cargo xtask pictures').toEqual([]);
});

test('the README shows pictures that are there', () => {
  const shown = [...readFileSync(readme, 'utf8').matchAll(/screens\/([\w-]+\.webp)/g)].map(([, name]) => name);
  expect(shown.length).toBeGreaterThan(0);
  expect(names).toEqual(expect.arrayContaining(shown));
});
