export default async function tearDown() {
  await globalThis.__honeCloseIdleApps?.();
  await globalThis.__honeTearDown?.();
}
