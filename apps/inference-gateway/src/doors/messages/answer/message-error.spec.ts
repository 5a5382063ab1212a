import { toMessageError } from './message-error.js';

describe('an error of the messages API', () => {
  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [402, 'billing_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [413, 'request_too_large'],
    [422, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [502, 'api_error'],
    [503, 'overloaded_error'],
    [504, 'timeout_error'],
  ])('of status %i has the type %s', (status, type) => {
    const error = { message: 'No.', param: null, code: 'x' };
    expect(toMessageError(status, { detail: 'No.', error }, 'r')).toEqual({
      type: 'error',
      error: { type, message: 'No.', details: { error_code: 'x', param: null } },
      request_id: 'r',
      detail: 'No.',
    });
  });
});
