// Whatever is tapped is at least as large as a thumb's tip: 44 px each way. A link within running text is as
// high as its line; nobody could make it higher without tearing the text apart.

import { type Page, expect } from '@playwright/test';

const LEAST = 44;

export async function measureTargets(page: Page): Promise<void> {
  const small = await page.evaluate((least) => {
    const inText = (el: Element): boolean => {
      const around = el.parentElement;
      const inline = getComputedStyle(el).display === 'inline';
      return inline && [...(around?.childNodes ?? [])].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    };
    const targets = document.querySelectorAll('a[href], button, input, select, textarea, summary, [role="button"]');
    // Small to look at, and with room around it that belongs to it: all corners of what is wanted are its own.
    const takesTaps = (el: Element): boolean => {
      el.scrollIntoView({ block: 'center' });
      const { left, top, width, height } = el.getBoundingClientRect();
      const [x, y, far] = [left + width / 2, top + height / 2, least / 2 - 0.5];
      const points = [[x - far, y], [x + far, y], [x, y - far], [x, y + far]] as const;
      return points.every(([x, y]) => el.contains(document.elementFromPoint(x, y)));
    };
    // A link that jumps to the content is only there while it has the focus.
    const small = [...targets]
      .filter((el) => el.checkVisibility() && !el.matches('[href="#main"]') && !inText(el))
      .map((el) => (el.matches('[type="checkbox"], [type="radio"]') ? (el.closest('label') ?? el) : el))
      .map((el) => ({ el, size: el.getBoundingClientRect() }))
      .filter(({ el, size }) => Math.min(size.width, size.height) + 0.01 < least && !takesTaps(el))
      .map(({ el, size }) => `${size.width.toFixed(0)} x ${size.height.toFixed(0)}: ${el.outerHTML.slice(0, 120)}`);
    scrollTo(0, 0);
    return small;
  }, LEAST);
  expect.soft(small, `targets at ${page.viewportSize()?.width} px`).toEqual([]);
}
