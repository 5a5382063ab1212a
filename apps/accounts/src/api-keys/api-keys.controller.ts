import { AccessDeniedError, AnyAuthGuard, ApiKeyNotFoundError, CurrentPrincipal, type Principal } from '@hone/auth';
import { ApiKeyCreatedDto, ApiKeyCreateDto, ApiKeyDto, ApiKeyListDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature } from '@hone/platform';
import { Body, Controller, Delete, Get, Param, Post, UseGuards } from '@nestjs/common';

import { UserNotFoundError } from '../users/users.errors.js';
import { ApiKeysService } from './api-keys.service.js';

@Feature('api keys', 'Credentials of users.')
@Controller('account/api-keys')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  // No Idempotency-Key here: to replay the answer it would have to be stored, and it holds the key.
  @Post()
  @Answers(
    ApiKeyCreatedDto,
    'createApiKey',
    'Create an API key; the answer shows its secret, this one time',
    AccessDeniedError,
    UserNotFoundError,
  )
  create(@CurrentPrincipal() caller: Principal, @Body() body: ApiKeyCreateDto): Promise<ApiKeyCreatedDto> {
    return this.apiKeys.create(caller, body);
  }

  @Get()
  @Answers(
    ApiKeyListDto,
    'listApiKeys',
    "List the caller's keys, newest first; an admin gets everyone's",
    AccessDeniedError,
  )
  list(@CurrentPrincipal() caller: Principal): Promise<ApiKeyListDto> {
    return this.apiKeys.list(caller);
  }

  @Delete(':id')
  @Answers(ApiKeyDto, 'revokeApiKey', 'Revoke an API key', AccessDeniedError, ApiKeyNotFoundError)
  revoke(@CurrentPrincipal() caller: Principal, @Param('id') id: string): Promise<ApiKeyDto> {
    return this.apiKeys.revoke(caller, id);
  }
}
