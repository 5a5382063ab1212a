import { basic, type ServiceProcess, type TestUser } from '@hone/testing';

/** Sends one request to a service process over a real connection. */
export async function postTo(
  service: ServiceProcess,
  user: TestUser,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { authorization: basic('api', user.key), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    headers: response.headers,
    json: (await response.json()) as Record<string, unknown>,
  };
}
