import { BasicAuthGuard, CurrentPrincipal, type Principal, ProjectAccess } from '@hone/auth';
import { OfProjectDto, ProjectQueryDto } from '@hone/contracts';
import { ApiExcludeController } from '@hone/platform';
import { Body, Controller, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';

import { OWN_PATH } from '../paths.js';

/** Settings of projects that change what the SDKs send. Here they change nothing: all of it is taken as it is. */
@ApiExcludeController()
@Controller(`${OWN_PATH}/project`)
@UseGuards(BasicAuthGuard)
export class SdkSettingsController {
  constructor(private readonly access: ProjectAccess) {}

  /** Every call is stored. */
  @Post('ingest_sampling_settings/read')
  @HttpCode(200)
  async sampling(@CurrentPrincipal() caller: Principal, @Body() { project_id }: OfProjectDto): Promise<object> {
    await this.access.findReadable(caller, 'trace', project_id);
    return { sample_rate: 1, dry_run: false };
  }

  /** Nothing is taken out of what is sent. */
  @Get('sensitive_data_settings')
  @HttpCode(200)
  async sensitiveData(
    @CurrentPrincipal() caller: Principal,
    @Query() { project_id }: ProjectQueryDto,
  ): Promise<object> {
    await this.access.findReadable(caller, 'trace', project_id);
    return { policy: 'off' };
  }

  /** The same, as older clients ask it. */
  @Post('sensitive_data_settings')
  @HttpCode(200)
  postedSensitiveData(@CurrentPrincipal() caller: Principal, @Body() body: OfProjectDto): Promise<object> {
    return this.sensitiveData(caller, body);
  }
}
