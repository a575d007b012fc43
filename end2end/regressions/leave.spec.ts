// Something was asked for, and the learner has left the page before the answer is there.

import { expect, test } from '../fixtures/story';
import type { App } from '../fixtures/app';
import { until } from '../fixtures/until';

type Question = {
  what: string;
  /** The address that is asked. */
  asked: string;
  ask(phone: App): Promise<void>;
};

/** Goes to a list by the menu: the page is not opened anew. */
async function byMenu(phone: App, to: string): Promise<void> {
  await phone.page.getByLabel(/^Account/).click();
  await phone.link(to).click();
}

const QUESTIONS: Question[] = [
  { what: 'the list of tasks', asked: '/api/v1/tasks/list', ask: async (phone) => byMenu(phone, 'Tasks') },
  { what: 'the library', asked: '/api/v1/library/list', ask: async (phone) => byMenu(phone, 'Library') },
  {
    what: 'what happened',
    asked: '/api/v1/tasks/events',
    ask: async (phone) => phone.page.getByText('What happened', { exact: true }).click(),
  },
  {
    what: 'an earlier version',
    asked: '/api/v1/tasks/draft',
    ask: async (phone) => phone.page.getByRole('group', { name: 'Versions' }).getByRole('button', { name: /^1/ }).click(),
  },
  { what: 'the program of a list', asked: '/assets/split_lists', ask: async (phone) => byMenu(phone, 'Tasks') },
  {
    what: 'the program of what happened',
    asked: '/assets/split_timeline',
    ask: async (phone) => phone.page.getByText('What happened', { exact: true }).click(),
  },
];

for (const { what, asked, ask } of QUESTIONS) {
  test(`${what} is asked for and the page is left before the answer: nothing breaks, and the next page works`, async ({ harbour }) => {
    const pen = await harbour.device();
    const learner = await pen.signUp();
    const task = await pen.start('Wheel throwing for beginners', 'What should I bring?');
    await pen.seeStatus('awaiting_review', 'version 1');
    const text = `${await pen.draftText()}\n\nAnd an apron.`;
    await pen.edit('What to bring: nothing.');
    await pen.seeStatus('awaiting_review', 'Awaiting review (version 2)');
    // The texts of the last two versions come with the task; only an older one has to be asked for.
    await pen.edit(text);
    await pen.seeStatus('awaiting_review', 'Awaiting review (version 3)');

    // A device that has nothing yet, and keeps nothing of the program, has to ask for everything.
    const phone = await harbour.device();
    await phone.context.addInitScript(() => {
      Reflect.deleteProperty(Navigator.prototype, 'serviceWorker');
    });
    await phone.signIn(learner);
    await phone.open(`/tasks/${task}`);
    await phone.seeStatus('awaiting_review', 'Awaiting review (version 3)');

    const gate = phone.network.hold({ only: asked, of: 'reply' });
    const since = phone.network.log.mark();
    await ask(phone);
    await until(`${what} is on its way`, async () => gate.waiting > 0);
    await phone.link('Mooring').first().click();
    await expect(phone.heading('Start a task')).toBeVisible();
    phone.network.mend();
    await until('all that was held has arrived', async () =>
      phone.network.log.since(since).every(({ path, answered }) => !path.startsWith(asked) || answered),
    );

    await expect(phone.heading('Start a task')).toBeVisible();
    await byMenu(phone, 'Tasks');
    await phone.link(/Wheel throwing/).first().click();
    await phone.seeStatus('awaiting_review', 'Awaiting review (version 3)');
    await phone.reload();
    await phone.seeStatus('awaiting_review', 'Awaiting review (version 3)');
    await harbour.ends(phone, { task, state: 'awaiting_review', version: 3, text });
  });
}
