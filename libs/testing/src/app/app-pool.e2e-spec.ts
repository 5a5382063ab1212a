import { AuthModule, KeyStore, ProjectAccess } from '@hone/auth';
import { Inject, Injectable, Module } from '@nestjs/common';

import { startTestApp, type TestApp } from './test-app.js';

const GREETING = Symbol('greeting');

@Injectable()
class Greeter {
  constructor(@Inject(GREETING) readonly greeting: string) {}
}

@Module({ imports: [AuthModule.forRoot()], providers: [Greeter, { provide: GREETING, useValue: 'hello' }] })
class SmallModule {}

/** Makes the project of the writer, as a write does. @returns its row id */
async function makeProject(test: TestApp): Promise<string> {
  const writer = await test.app.get(KeyStore).find(test.writer.key);
  if (!writer) throw new Error('The writer has no key.');
  const access = test.app.get(ProjectAccess);
  return access.rowIdFor(writer, await access.grantWrite(writer, 'trace', 'acme/demo', 'writer'));
}
const projects = (test: TestApp) => test.sql<{ id: string }>('SELECT id FROM projects');

describe('a service that was booted for an earlier test', () => {
  it('is used again, and knows no row of that test', async () => {
    const first = await startTestApp(SmallModule);
    const id = await makeProject(first);
    expect(await projects(first)).toEqual([{ id }]);
    await first.close();

    const second = await startTestApp(SmallModule);
    expect(second.app).toBe(first.app);
    expect(await projects(second)).toEqual([]);
    expect(await second.app.get(KeyStore).find(first.writer.key)).toBeNull();
    const other = await makeProject(second);
    expect(await projects(second)).toEqual([{ id: other }]);
    expect(other).not.toBe(id);
    await second.close();
  });

  it('is not shared by two at once', async () => {
    const [first, second] = [await startTestApp(SmallModule), await startTestApp(SmallModule)];
    expect(first.app).not.toBe(second.app);
    expect(first.url).not.toBe(second.url);
    await Promise.all([first.close(), second.close()]);
  });

  it('is not used again after it was closed, or listened', async () => {
    const closed = await startTestApp(SmallModule);
    await closed.app.close();
    await closed.close();
    const listening = await startTestApp(SmallModule);
    expect(listening.app).not.toBe(closed.app);
    await listening.app.listen(0, '127.0.0.1');
    await listening.close();
    const third = await startTestApp(SmallModule);
    expect(third.app).not.toBe(listening.app);
    await third.close();
  });

  it('is never one with replaced providers', async () => {
    const plain = await startTestApp(SmallModule);
    expect(plain.app.get(Greeter).greeting).toBe('hello');
    await plain.close();
    const replaced = await startTestApp(SmallModule, {}, { overrides: [[GREETING, 'good day']] });
    expect(replaced.app).not.toBe(plain.app);
    expect(replaced.app.get(Greeter).greeting).toBe('good day');
    await replaced.close();
  });
});
