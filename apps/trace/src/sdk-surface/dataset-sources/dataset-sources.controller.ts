import { BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { ApiExcludeController } from '@hone/platform';
import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';

import { OWN_PATH } from '../paths.js';
import {
  DatasetSourcesQueryDto,
  LinksDeleteDto,
  SourceDatasetsQueryDto,
  SourcesLinkDto,
} from './dataset-sources.dto.js';
import { DatasetSourcesService } from './dataset-sources.service.js';

/** Where rows of datasets came from. */
@ApiExcludeController()
@Controller(`${OWN_PATH}/dataset_sources`)
@UseGuards(BasicAuthGuard)
export class DatasetSourcesController {
  constructor(private readonly sources: DatasetSourcesService) {}

  @Post('link')
  @HttpCode(200)
  link(@CurrentPrincipal() author: Principal, @Body() body: SourcesLinkDto): Promise<object> {
    return this.sources.link(author, body);
  }

  @Post('link_delete')
  @HttpCode(200)
  delete(@CurrentPrincipal() caller: Principal, @Body() body: LinksDeleteDto): Promise<object> {
    return this.sources.delete(caller, body);
  }

  @Post('query')
  @HttpCode(200)
  list(@CurrentPrincipal() caller: Principal, @Body() body: DatasetSourcesQueryDto): Promise<object> {
    return this.sources.list(caller, body);
  }

  @Post('source_datasets_query')
  @HttpCode(200)
  memberships(@CurrentPrincipal() caller: Principal, @Body() body: SourceDatasetsQueryDto): Promise<object> {
    return this.sources.memberships(caller, body);
  }
}
