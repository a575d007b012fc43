// The main job through the real protocol: the record comes from an MCP server, beside the program or at an address.

import { fileURLToPath } from 'node:url';
import { expect, test } from '../fixtures/story';
import { RecordsServer } from '../fixtures/records';
import type { App } from '../fixtures/app';

/** From a question to the library, with a reload in its middle. */
async function wholeJourney(phone: App, through: string): Promise<void> {
  const task = await phone.start('Wheel throwing for beginners', 'What should I bring?');
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 1)');
  await expect(phone.page.getByText('Source: the example records that come with Mooring. What the draft says in the same words is marked.')).toBeVisible();
  await expect(phone.page.getByText('An apron, a towel, short nails').first()).toBeVisible();

  await phone.reopen();
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 1)');
  const mine = `${await phone.draftText()}\n\nI bring my own towel.`;
  await phone.edit(mine);
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 2)');
  await phone.press('Accept version 2');
  await phone.seeStatus('saved', 'Saved');
  expect(await phone.library()).toMatchObject([{ task_id: task, draft_version: 2 }]);

  await phone.open('/about');
  await expect(phone.page.getByText(`The record was read through MCP ${through}`)).toBeVisible();
}

test('over standard streams, from the program itself', async ({ harbour }) => {
  const mooring = await harbour.mooring({ env: { MOORING_SOURCE: 'mcp-stdio' } });
  const phone = await harbour.device(mooring);
  const ann = await phone.signUp();
  await wholeJourney(phone, 'from a local program');

  const fresh = await harbour.device(mooring);
  await fresh.signIn(ann);
  expect(await fresh.library()).toHaveLength(1);
});

test('over HTTP, from a server at an address', async ({ harbour }) => {
  const records = await RecordsServer.start();
  try {
    const mooring = await harbour.mooring({ env: { MOORING_SOURCE: 'mcp-http', MOORING_MCP_URL: records.url } });
    const phone = await harbour.device(mooring);
    const ann = await phone.signUp();
    await wholeJourney(phone, 'over the network');

    const fresh = await harbour.device(mooring);
    await fresh.signIn(ann);
    expect(await fresh.library()).toHaveLength(1);
  } finally {
    await records.stop();
  }
});

test('a record that was withdrawn is named as such through MCP too; put back, it is found', async ({ harbour }) => {
  const mooring = await harbour.mooring({ ownRecords: true, env: { MOORING_SOURCE: 'mcp-stdio' } });
  const phone = await harbour.device(mooring);
  await phone.signUp();
  mooring.records?.withdraw('bookbinding');
  await phone.start('Bookbinding: your first sewn book', 'What should I bring?');
  await phone.seeStatus('source_missing', 'Record not found');
  mooring.records?.restore('bookbinding');
  await phone.reopen();
  await phone.press('Try again');
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 1)');
});

test('a server that is gone is said to be so, and found again', async ({ harbour }) => {
  const records = await RecordsServer.start();
  try {
    const mooring = await harbour.mooring({
      env: { MOORING_SOURCE: 'mcp-http', MOORING_MCP_URL: records.url, MOORING_TRIES: '2', MOORING_BACKOFF: '50ms' },
    });
    const phone = await harbour.device(mooring);
    await phone.signUp();
    await expect(phone.page.getByLabel('Workshop record').getByRole('option', { name: 'Sourdough: from starter to loaf' })).toBeAttached();
    await records.stop();
    await phone.start('Sourdough: from starter to loaf', 'Is there a step-free entrance?');
    await phone.seeStatus('source_unavailable', 'The source could not be reached');
    await expect(phone.status).toContainText('tried 2 times');
    await phone.reopen();
    await records.again();
    await phone.press('Try again');
    await phone.seeStatus('awaiting_review', 'Awaiting review (version 1)');
  } finally {
    await records.stop();
  }
});

test('a source that has no such tool is not asked, and the learner is told', async ({ harbour }) => {
  // The map of another server, for a source that offers none of its tools.
  const map = fileURLToPath(new URL('../../server/mcp/memory.json', import.meta.url));
  const mooring = await harbour.mooring({ env: { MOORING_SOURCE: 'mcp-stdio', MOORING_MCP_MAP: map } });
  const phone = await harbour.device(mooring);
  const ann = await phone.signUp();
  await phone.page.getByLabel('Workshop record').fill('clay');
  await phone.page.getByLabel('Question').fill('What should I bring?');
  await phone.press('Start');
  await phone.seeStatus('source_unavailable', 'does not have the tool');
  await phone.reopen();
  await phone.seeStatus('source_unavailable', 'does not have the tool');

  const fresh = await harbour.device(mooring);
  await fresh.signIn(ann);
  expect(await fresh.library()).toEqual([]);
});
