import { addressOf, readyMessage } from './ready-message.js';

describe('readyMessage', () => {
  it('names the address, the key file and a request to paste', () => {
    const message = readyMessage(
      { dataDir: "/home/o'neil/my hone", bootstrapApiKey: undefined },
      'http://127.0.0.1:8080',
    );
    expect(message.split('\n')[0]).toBe('Hone is ready on http://127.0.0.1:8080');
    expect(message).toContain(`"api:$(cat '/home/o'\\''neil/my hone/api-key')"`);
  });

  it('does not print a key that the operator chose', () => {
    const message = readyMessage({ dataDir: '/data', bootstrapApiKey: 'secret'.repeat(8) }, 'http://[::1]:1');
    expect(message).not.toContain('secret');
    expect(message).toContain('api:$HONE_BOOTSTRAP_API_KEY');
  });
});

describe('addressOf', () => {
  it('puts IPv6 into brackets', () => {
    expect([addressOf('127.0.0.1', 1), addressOf('::1', 2)]).toEqual(['http://127.0.0.1:1', 'http://[::1]:2']);
  });
});
