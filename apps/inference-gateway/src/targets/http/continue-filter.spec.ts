import { skipContinue } from './continue-filter.js';

const CONTINUE = 'HTTP/1.1 100 Continue\r\nserver: x\r\n\r\n';
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi';

/** A socket that delivers what `receive` is given, piece by piece. */
function aSocket() {
  const arrived: Buffer[] = [];
  const socket = {
    read: (size?: number): Buffer | null => (size === 0 ? null : (arrived.shift() ?? null)),
    write: () => true,
  };
  skipContinue(socket);
  const receive = (...pieces: string[]) => {
    arrived.push(...pieces.map((piece) => Buffer.from(piece)));
    let text = '';
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) text += chunk.toString();
    return text;
  };
  return { request: () => socket.write(), receive, socket };
}

describe('skipContinue', () => {
  it.each([
    ['none', OK],
    ['one', CONTINUE + OK],
    ['several', CONTINUE + CONTINUE + OK],
    ['one without a reason', 'HTTP/1.1 100\r\n\r\n' + OK],
  ])('passes the response behind %s', (_, bytes) => {
    for (const size of [1, 5, 25, 1_000]) {
      const { request, receive } = aSocket();
      request();
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (__, index) =>
        bytes.slice(index * size, (index + 1) * size),
      );
      expect(receive(...pieces)).toBe(OK);
    }
  });

  it('skips it before each response of a connection, and never within one', () => {
    const { request, receive } = aSocket();
    for (let count = 0; count < 2; count++) {
      request();
      expect(receive(CONTINUE, OK)).toBe(OK);
      expect(receive(CONTINUE)).toBe(CONTINUE);
    }
  });

  it('takes nothing when nothing is asked for', () => {
    const { request, receive, socket } = aSocket();
    request();
    receive();
    expect(socket.read(0)).toBeNull();
    expect(receive(OK)).toBe(OK);
  });

  it('holds no endless head back', () => {
    const { request, receive } = aSocket();
    request();
    const endless = `HTTP/1.1 100 ${'x'.repeat(9_000)}`;
    expect(receive(endless)).toBe(endless);
  });
});
