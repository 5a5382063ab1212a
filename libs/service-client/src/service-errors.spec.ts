import { failureOf, ServiceRefusedError, ServiceUnavailableError } from './service-errors.js';

describe('what a status other than 200 means', () => {
  it.each([
    [400, '{"error":{"code":"model_not_found","message":"No."}}', 'model_not_found', 'No.'],
    [402, '{"error":{"type":"billing","message":"Spent."}}', 'billing', 'Spent.'],
    [403, '{"code":"access.denied","detail":"No access."}', 'access.denied', 'No access.'],
    [404, 'Nothing here', 'status_404', 'Nothing here'],
  ])('%i is refused, in either format of errors', (status, text, code, message) => {
    const failure = failureOf(status, text);
    expect(failure).toBeInstanceOf(ServiceRefusedError);
    expect(failure).toMatchObject({ status, code, message, mayHaveCost: false });
  });

  it.each([
    [429, false],
    [500, true],
    [503, true],
  ])('%i may succeed later', (status, mayHaveCost) => {
    const failure = failureOf(status, '{"error":{"code":"busy","message":"Later."}}');
    expect(failure).toBeInstanceOf(ServiceUnavailableError);
    expect(failure).toMatchObject({ code: 'busy', mayHaveCost });
  });

  it('cuts what a server says', () => {
    expect(failureOf(400, 'x'.repeat(1_000)).message).toHaveLength(300);
  });
});
