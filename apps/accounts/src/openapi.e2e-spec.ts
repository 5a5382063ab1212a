import { describeOpenApi } from '@hone/testing';

import { startAccounts, type TestAccounts } from './accounts.fixture.js';

describe('the OpenAPI document of the accounts service', () => {
  let accounts: TestAccounts;
  afterAll(() => accounts.close());

  describeOpenApi(
    async () => {
      accounts = await startAccounts();
      const client = accounts.as(`Bearer ${accounts.admin.key}`);
      return { client, parameters: { entity: 'acme', username: 'ada' } };
    },
    {
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
