// Mooring can be put on a phone's home screen.

import { expect, test } from '../fixtures/story';

type Manifest = {
  id: string;
  name: string;
  short_name: string;
  start_url: string;
  scope: string;
  display: string;
  theme_color: string;
  background_color: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
};

test('the manifest says what a home screen needs, and each of its icons is what it says', async ({ harbour }) => {
  const phone = await harbour.device();
  await phone.open('/sign-in');
  const address = await phone.page.locator('link[rel=manifest]').getAttribute('href');
  const answer = await fetch(`${phone.mooring.url}${address}`);
  expect(answer.headers.get('content-type')).toBe('application/manifest+json');
  const manifest = (await answer.json()) as Manifest;
  expect(manifest).toMatchObject({ id: '/', name: 'Mooring', short_name: 'Mooring', start_url: '/', scope: '/', display: 'standalone' });
  expect([manifest.theme_color, manifest.background_color]).toEqual([expect.stringMatching(/^#/), expect.stringMatching(/^#/)]);

  for (const [sizes, purpose] of [
    ['192x192', 'any'],
    ['512x512', 'any'],
    ['192x192', 'maskable'],
    ['512x512', 'maskable'],
  ]) {
    expect(manifest.icons, `${sizes} ${purpose}`).toContainEqual(expect.objectContaining({ sizes, purpose, type: 'image/png' }));
  }
  const touch = await phone.page.locator('link[rel=apple-touch-icon]').getAttribute('href');
  for (const { src, sizes, type } of [...manifest.icons, { src: touch ?? '', sizes: '180x180', type: 'image/png' }]) {
    const icon = await fetch(`${phone.mooring.url}${src}`);
    expect([icon.status, icon.headers.get('content-type')], src).toEqual([200, type]);
    const size = await phone.page.evaluate(async (src) => {
      const image = new Image();
      image.src = src;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    if (sizes !== 'any') {
      expect(size, src).toBe(sizes);
    }
  }
});
