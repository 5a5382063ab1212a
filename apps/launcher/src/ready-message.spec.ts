import { addressOf, readyMessage } from './ready-message.js';

describe('readyMessage', () => {
  it('names the address, the key file and a request to paste', () => {
    const message = readyMessage(
      { dataDir: "/home/o'neil/my hone", bootstrapApiKey: undefined, upstreamsFile: undefined },
      'http://127.0.0.1:8080',
    );
    expect(message.split('\n')[0]).toBe('Hone is ready on http://127.0.0.1:8080');
    expect(message).toContain(`"Authorization: Bearer $(cat '/home/o'\\''neil/my hone/api-key')"`);
    expect(message).toContain('http://127.0.0.1:8080/v1/chat/completions');
  });

  it('ends with the link to the console', () => {
    const config = { dataDir: '/data', bootstrapApiKey: undefined, upstreamsFile: undefined };
    const lastLine = (link?: string) => readyMessage(config, 'http://h:1', link).split('\n').at(-1);
    expect(lastLine()).toBe('Console: http://h:1/console/');
    expect(lastLine('http://h:1/console/sign-in#abc')).toContain('http://h:1/console/sign-in#abc ');
  });

  it('does not print a key that the operator chose', () => {
    const config = { dataDir: '/data', bootstrapApiKey: 'secret'.repeat(8), upstreamsFile: undefined };
    const message = readyMessage(config, 'http://[::1]:1');
    expect(message).not.toContain('secret');
    expect(message).toContain('Bearer $HONE_BOOTSTRAP_API_KEY');
  });

  it('does not name a model that the operator may not serve', () => {
    const config = { dataDir: '/data', bootstrapApiKey: undefined, upstreamsFile: '/etc/upstreams.yaml' };
    expect(readyMessage(config, 'http://h:1')).toMatch(/^Try: curl -sH "[^"]*" http:\/\/h:1\/v1\/models$/m);
  });
});

describe('addressOf', () => {
  it('puts IPv6 into brackets', () => {
    expect([addressOf('127.0.0.1', 1), addressOf('::1', 2)]).toEqual(['http://127.0.0.1:1', 'http://[::1]:2']);
  });
});
