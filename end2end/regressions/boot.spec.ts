// Before the program is there: the page says how things stand, and has no control that does nothing.

import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '../fixtures/story';
import type { Fault } from '../fixtures/network';

test('C30: the program comes eight seconds late, with a tap meanwhile: there is nothing dead to tap on', async ({ harbour }) => {
  const phone = await harbour.device();
  let asked = 0;
  // A first visit: no worker stands between the page and its route yet.
  await phone.page.route(/mooring-\w+\.wasm$/, async (route) => {
    asked += 1;
    await pause(asked === 1 ? 8_000 : 0);
    await route.continue().catch(() => undefined);
  });
  await phone.page.goto(`${phone.mooring.url}/sign-up`);
  await expect(phone.page.getByText(/^Loading Mooring/)).toBeVisible();
  await expect(phone.status).toContainText('Status unknown');
  // Where a control will be, there is none: what is there works without the program.
  for (const role of ['button', 'textbox', 'combobox'] as const) {
    await expect(phone.page.getByRole(role)).toHaveCount(0);
  }
  for (const link of await phone.page.getByRole('link').all()) {
    expect(await link.getAttribute('href')).toMatch(/^[/#]/);
  }
  await phone.status.tap();

  await expect(phone.button('Sign up')).toBeVisible();
  expect(asked).toBe(1);
  await phone.signUp();
  await phone.page.reload();
  await expect(phone.heading('Start a task')).toBeVisible();
});

test('C30: a link that is tapped before the program has come is followed, once', async ({ harbour }) => {
  const phone = await harbour.device();
  let asked = 0;
  await phone.page.route(/mooring-\w+\.wasm$/, async (route) => {
    asked += 1;
    await pause(asked === 1 ? 8_000 : 0);
    await route.continue().catch(() => undefined);
  });
  await phone.page.goto(`${phone.mooring.url}/about`);
  await expect(phone.page.getByText(/^Loading Mooring/)).toBeVisible();
  await phone.link('Mooring').tap();
  await expect(phone.page).toHaveURL(/\/sign-in/);
  await expect(phone.button('Sign in')).toBeVisible();
  expect(asked).toBe(2);
});

const BROKEN: [string, Fault][] = [
  ['is refused', { kind: 'refuse', only: '.wasm' }],
  ['stops in its middle', { kind: 'stall', only: '.wasm' }],
  ['is a page of somebody else', { kind: 'answer', status: 200, body: '<h1>Welcome to the hotel</h1>', only: '.wasm' }],
  ['meets a server that is not well', { kind: 'answer', status: 503, body: '<h1>Bad gateway</h1>', only: '.wasm' }],
  ['is not there any more', { kind: 'answer', status: 404, body: 'There is no such file.', only: '.wasm' }],
];

for (const [how, fault] of BROKEN) {
  test(`C40: the download ${how}: it says so, and trying again works`, async ({ harbour }) => {
    const phone = await harbour.device();
    phone.network.fail(fault);
    await phone.open('/sign-up');
    const alert = phone.page.getByRole('alert');
    await expect(alert).toContainText('Mooring could not be loaded', { timeout: 30_000 });
    await expect(phone.status).toContainText('Status unknown');
    await phone.page.reload();
    await expect(alert).toContainText('Mooring could not be loaded', { timeout: 30_000 });
    if (fault.kind === 'answer') {
      await phone.press('Try again');
      await expect(alert).toContainText('Mooring could not be loaded', { timeout: 30_000 });
    }
    phone.network.restore();
    await phone.press('Try again');
    await expect(phone.button('Sign up')).toBeVisible();
    await phone.signUp();
  });
}
