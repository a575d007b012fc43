// What axe finds: nothing, also by its rules for good practice and for the size of targets.

import AxeBuilder from '@axe-core/playwright';
import { type Page, expect } from '@playwright/test';

export async function audit(page: Page, where: string): Promise<void> {
  // Good practice is on by itself, the size of targets is not.
  const { violations } = await new AxeBuilder({ page }).options({ rules: { 'target-size': { enabled: true } } }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  expect.soft(found, `axe, ${where}`).toEqual([]);
}
