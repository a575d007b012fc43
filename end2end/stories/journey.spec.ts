// From a question to a saved explanation.

import { expect, test } from '../fixtures/story';

test('a learner asks, reads, edits, accepts, and finds it in the library', async ({ phone }) => {
  const task = await phone.start('Wheel throwing for beginners', 'What should I bring, and when does it start?');
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 1)');

  await expect(phone.heading('Evidence')).toBeVisible();
  await expect(phone.page.getByText('An apron, a towel, short nails').first()).toBeVisible();
  const first = await phone.draftText();
  expect(first).toContain('apron');
  await expect(phone.page.getByText('simulated model').first()).toBeVisible();

  const mine = `${first}\n\nI will bring my own towel.`;
  await phone.edit(mine);
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 2)');
  await phone.seeVersion(2);

  await phone.press('Accept version 2');
  await phone.seeStatus('saved', 'Saved');
  expect(await phone.library()).toMatchObject([{ task_id: task, draft_version: 2 }]);

  await phone.open('/library');
  await phone.link(/Wheel throwing for beginners/).click();
  await expect(phone.page.getByText('I will bring my own towel.')).toBeVisible();
});

test('the same question to the same record is offered again, not started twice', async ({ phone }) => {
  const first = await phone.start('Sourdough: from starter to loaf', 'Do I need a starter?');
  await phone.seeStatus('awaiting_review');

  await phone.open('/');
  await phone.page.getByLabel('Workshop record').selectOption({ label: 'Sourdough: from starter to loaf' });
  await phone.page.getByLabel('Question').fill('Do I need a starter?');
  await phone.press('Start');
  await phone.link('Open that task').click();
  await expect(phone.page).toHaveURL(new RegExp(`/tasks/${first}$`));

  await phone.open('/');
  await phone.page.getByLabel('Workshop record').selectOption({ label: 'Sourdough: from starter to loaf' });
  await phone.page.getByLabel('Question').fill('Do I need a starter?');
  await phone.press('Start');
  await phone.press('Start another anyway');
  await expect(phone.page).toHaveURL(/\/tasks\/[0-9a-f-]{36}$/);
  expect(phone.taskId()).not.toBe(first);
  await phone.seeStatus('awaiting_review');
});

test('a second tap on Start starts nothing more', async ({ phone }) => {
  await phone.open('/');
  await phone.page.getByLabel('Workshop record').selectOption({ label: 'Bookbinding: your first sewn book' });
  await phone.page.getByLabel('Question').fill('Which paper is used?');
  await phone.button('Start').dblclick();
  await expect(phone.page).toHaveURL(/\/tasks\//);
  await phone.seeStatus('awaiting_review');
  const { body } = await phone.ask('tasks/list', {});
  expect((body as { tasks: unknown[] }).tasks).toHaveLength(1);
});

test('a second tap on Accept presses nothing of what has come under the thumb', async ({ phone }) => {
  const task = await phone.start('Wheel throwing for beginners', 'Where is it?');
  await phone.seeStatus('awaiting_review', 'version 1');
  // What a tap would meet in the very frame in which the way to the library is there.
  const met = phone.page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const look = (): void => {
          const link = document.querySelector('a[href^="/library/"]');
          if (link) {
            watching.disconnect();
            requestAnimationFrame(() => {
              const { x, y, width, height } = link.getBoundingClientRect();
              resolve(link.contains(document.elementFromPoint(x + width / 2, y + height / 2)));
            });
          }
        };
        const watching = new MutationObserver(look);
        watching.observe(document, { subtree: true, childList: true });
      }),
  );
  await phone.press('Accept version 1');
  expect(await met).toBe(false);
  await phone.seeStatus('saved', 'Saved');
  await expect(phone.page).toHaveURL(new RegExp(`/tasks/${task}$`));
  await phone.link('Open in library').tap();
  await expect(phone.page).toHaveURL(/\/library\//);
});

test('what can be done next is the loud button: to accept what is read, or to save what is typed', async ({ phone }) => {
  await phone.start('Wheel throwing for beginners', 'What does it cost?');
  await phone.seeStatus('awaiting_review', 'version 1');
  const loud = async (): Promise<string[]> => phone.page.locator('.bar .button--primary').allTextContents();
  expect(await loud()).toEqual(['Accept version 1']);
  await phone.draft.fill('It costs 25.');
  await expect.poll(loud).toEqual(['Save edit']);
  await phone.press('Save edit');
  await phone.seeVersion(2);
  await expect.poll(loud).toEqual(['Accept version 2']);
});
