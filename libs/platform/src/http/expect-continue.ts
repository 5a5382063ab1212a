import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Clients that wait for `100 Continue` before they send their body. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Leaves `100 Continue` to the code that reads the body: Node would send it before the headers were looked at, so that a
 * client would send a body to be refused (RFC 9110, section 10.1.1).
 */
export function continueOnDemand(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response);
    server.emit('request', request, response);
  });
}

/** Asks the client for the body, if it waits to be asked. Call it before the body is read. */
export function sendContinue(request: IncomingMessage): void {
  // Nearly no request has the header.
  if (request.headers.expect === undefined) return;
  const response = waiting.get(request);
  waiting.delete(request);
  if (response !== undefined && !response.headersSent) response.writeContinue();
}
