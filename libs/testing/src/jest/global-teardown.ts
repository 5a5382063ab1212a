export default async function tearDown(): Promise<void> {
  await ((globalThis as Record<string, unknown>)['__honeTearDown'] as () => Promise<void>)();
}
