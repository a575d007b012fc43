// A learner who reads Chinese: the browser's language, a choice of one's own, and no network.

import type { App } from '../fixtures/app';
import { expect, somebody, test } from '../fixtures/story';

test.use({ locale: 'zh-CN' });

/** Signs up on a page in Chinese. */
async function signUp(phone: App): Promise<void> {
  phone.learner = somebody();
  await phone.open('/sign-up');
  await phone.page.getByLabel('名字').fill(phone.learner.name);
  await phone.page.getByLabel('口令').fill(phone.learner.passphrase);
  await phone.press('注册');
  await expect(phone.heading('开始一个任务')).toBeVisible();
}

const language = (phone: App, is: string): Promise<void> => expect(phone.page.locator('html')).toHaveAttribute('lang', is);

test('the whole journey is in Chinese where the browser asks for it, also without a network', async ({ harbour }) => {
  const phone = await harbour.device();
  await signUp(phone);
  await language(phone, 'zh-Hans');
  await phone.page.getByLabel('工作坊资料').selectOption({ label: 'Wheel throwing for beginners' });
  await phone.page.getByLabel('问题').fill('要带什么？');
  await phone.press('开始');
  await expect(phone.page).toHaveURL(/\/tasks\/[0-9a-f-]{36}$/);
  const task = phone.taskId();
  await phone.seeStatus('awaiting_review', '等你审阅（第 1 版）');
  await expect(phone.heading('依据')).toBeVisible();

  await phone.page.getByRole('textbox', { name: '草稿' }).fill('带围裙和毛巾。');
  await phone.press('保存修改');
  await phone.seeStatus('awaiting_review', '等你审阅（第 2 版）');

  await phone.loseNetwork();
  harbour.watch.startOver();
  await phone.reload();
  await language(phone, 'zh-Hans');
  await expect(phone.status).toContainText('状态未知');
  await expect(phone.status).toContainText('上次所知：等你审阅，第 2 版（截至');
  await phone.press('采用第 2 版');
  await expect(phone.status).toContainText('采用第 2 版：已存到这台设备上，等服务器回应。');
  // Until the first script has run, the one page for everybody speaks English; it says no more than this.
  for (const seen of harbour.watch.seen) {
    expect(seen.text).toMatch(/^(状态未知|Status unknown)/);
  }

  phone.network.restore();
  await phone.seeStatus('saved', '已保存');
  await phone.page.getByLabel(/^账号: /).click();
  await phone.link('文库').click();
  await expect(phone.page.getByText(/第 2 版，今天 \d\d:\d\d 保存/)).toBeVisible();
  expect(await phone.library()).toMatchObject([{ task_id: task, draft_version: 2, text: '带围裙和毛巾。' }]);
});

test('a language is chosen in the menu and stays; what was typed stays typed', async ({ harbour }) => {
  const phone = await harbour.device();
  await signUp(phone);
  await phone.page.getByLabel('问题').fill('什么时候开始');
  await phone.page.getByLabel(/^账号: /).click();
  await phone.press('English');
  await expect(phone.heading('Start a task')).toBeVisible();
  await language(phone, 'en');
  await expect(phone.page.getByLabel('Question')).toHaveValue('什么时候开始');

  await phone.reopen();
  await expect(phone.heading('Start a task')).toBeVisible();
  await expect(phone.page.getByLabel('Question')).toHaveValue('什么时候开始');
  await phone.page.getByLabel(/^Account: /).click();
  await phone.press('简体中文');
  await expect(phone.heading('开始一个任务')).toBeVisible();
  await expect(phone.page.getByLabel('问题')).toHaveValue('什么时候开始');
});

test('a language can be chosen where the script that keeps the program does not arrive', async ({ harbour }) => {
  const phone = await harbour.device();
  phone.network.fail({ kind: 'refuse', only: '/assets/program-' });
  await phone.open('/sign-in');
  await expect(phone.heading('登录')).toBeVisible();
  await phone.press('English');
  await expect(phone.heading('Sign in')).toBeVisible();
  await language(phone, 'en');
});

test('a language whose sentences do not arrive keeps nobody from their task, and that is said', async ({ harbour }) => {
  const phone = await harbour.device();
  phone.network.fail({ kind: 'answer', status: 200, body: '<h1>Welcome to the hotel</h1>', only: '/assets/languages/' });
  await phone.open('/sign-in');
  await expect(phone.heading('Sign in')).toBeVisible();
  await language(phone, 'en');
  await expect(phone.page.getByText('中文没能载入，Mooring 暂时显示英文。')).toBeVisible();

  phone.network.restore();
  await phone.reload();
  await expect(phone.heading('登录')).toBeVisible();
  await expect(phone.page.getByText('中文没能载入')).toHaveCount(0);
});
