import { describeOpenApi } from '@hone/testing/openapi';

import { startAccounts, type TestAccounts } from './accounts.fixture.js';

describe('the OpenAPI document of the accounts service', () => {
  let accounts: TestAccounts;
  afterAll(() => accounts.close());

  describeOpenApi(
    async () => {
      accounts = await startAccounts();
      const { keyId } = await accounts.user('gina');
      await accounts.sql("INSERT INTO sign_in_codes VALUES (sha256($1), $2, now() + interval '1 hour')", [
        Buffer.from('Zr0mVq3bQ9yTn5sKfW2xLg7hCd8jPa1e'),
        keyId,
      ]);
      const client = accounts.as(`Bearer ${accounts.admin.key}`);
      return { client, parameters: { entity: 'acme', username: 'ada' } };
    },
    {
      // Codes that were not made open nothing; many of them are braked.
      redeemSignInCode: { alsoAccepted: [401, 429] },
      createUser: {},
      createEntity: {},
      createProject: {},
      createApiKey: {
        adjust: (body) => {
          if (body['expires_at']) body['expires_at'] = '2099-01-01T00:00:00Z';
          if (body['project'] && body['default_project']) body['default_project'] = body['project'];
        },
      },
      putMember: {},
    },
  );
});
