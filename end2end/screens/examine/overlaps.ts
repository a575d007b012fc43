// No part of a page lies on another one: what is said must be there to be read.

import { type Page, expect } from '@playwright/test';

const PARTS = '#main :is(.status, .card, .notice, .progress, .stack, .empty, h1, .page__lead)';

/** Parts of which neither is in the other, and that share more than a hair. */
export async function overlaps(page: Page, when: string): Promise<void> {
  const found = await page.evaluate((parts) => {
    const seen = [...document.querySelectorAll(parts)].filter((el) => el.checkVisibility());
    const name = (el: Element): string => `<${el.tagName.toLowerCase()} class="${el.className}">`;
    return seen.flatMap((a, nth) =>
      seen.slice(nth + 1).flatMap((b) => {
        if (a.contains(b) || b.contains(a)) {
          return [];
        }
        const [one, two] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
        const width = Math.min(one.right, two.right) - Math.max(one.left, two.left);
        const height = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
        return width > 1 && height > 1 ? [`${name(a)} and ${name(b)} by ${Math.round(width)} x ${Math.round(height)}`] : [];
      }),
    );
  }, PARTS);
  expect.soft(found, `parts that lie on each other, ${when}`).toEqual([]);
}
