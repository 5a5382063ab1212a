import { Body, Controller, Delete, Get, Param, Post, UseGuards } from '@nestjs/common';
import { AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { ApiKeyCreatedDto, ApiKeyCreateDto, ApiKeyDto, ApiKeyListDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth } from '@hone/platform';

import { ApiKeysService } from './api-keys.service.js';

@Controller('account/api-keys')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  // No Idempotency-Key here: to replay the answer it would have to be stored, and it holds the key.
  @Post()
  @Answers(ApiKeyCreatedDto, 'Makes an API key. The answer shows it, this one time.', 403, 404, 422)
  create(@CurrentPrincipal() caller: Principal, @Body() body: ApiKeyCreateDto): Promise<ApiKeyCreatedDto> {
    return this.apiKeys.create(caller, body);
  }

  @Get()
  @Answers(ApiKeyListDto, "The caller's keys, newest first; an admin gets everyone's.", 403)
  list(@CurrentPrincipal() caller: Principal): Promise<ApiKeyListDto> {
    return this.apiKeys.list(caller);
  }

  @Delete(':id')
  @Answers(ApiKeyDto, 'Revokes a key.', 403, 404)
  revoke(@CurrentPrincipal() caller: Principal, @Param('id') id: string): Promise<ApiKeyDto> {
    return this.apiKeys.revoke(caller, id);
  }
}
