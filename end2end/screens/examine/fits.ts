// Nothing has to be scrolled sideways, neither the page nor anything in it that could be wrapped.

import { type Page, expect } from '@playwright/test';

export async function fits(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  const over = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) {
      return [];
    }
    const wide = [...document.body.querySelectorAll('*')].filter((el) => el.getBoundingClientRect().right > clientWidth + 0.5);
    return [`the page: ${scrollWidth}`, ...wide.map((el) => el.outerHTML.slice(0, 120))];
  });
  expect.soft(over, `wider than ${size.width} px`).toEqual([]);
}
