import { BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { ApiExcludeController, BodyTooLargeError, OpenRoute, type RequestBody, SERVICE_CONFIG } from '@hone/platform';
import { Body, Controller, Get, HttpCode, Inject, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ExecutionResult } from 'graphql';

import { toInternalId } from '../names.js';
import { OWN_PATH } from '../paths.js';
import { GraphqlService } from './graphql.service.js';
import { GraphqlDto, type ProjectInfo, ProjectsInfoDto } from './server.dto.js';

const MAX_GRAPHQL_BYTES = 65_536;
const MIN_CLIENT_VERSION = '0.0.1';
const SERVER_VERSION = '99.0.0';

/** What the SDKs ask before they send anything. Every other endpoint of theirs is one of the canonical surface. */
@ApiExcludeController()
@Controller(OWN_PATH)
export class SdkServerController {
  constructor(
    private readonly graphql: GraphqlService,
    @Inject(SERVICE_CONFIG) private readonly config: { sdkServerVersion?: string },
  ) {}

  @Get('health')
  @OpenRoute(200)
  health(): { status: string } {
    return { status: 'ok' };
  }

  /** A client that wants a newer server than this stops tracing. */
  @Get('server_info')
  @OpenRoute(200)
  info(): Record<string, string> {
    return {
      min_required_weave_python_version: MIN_CLIENT_VERSION,
      trace_server_version: this.config.sdkServerVersion ?? SERVER_VERSION,
    };
  }

  @Post('service/projects_info')
  @HttpCode(200)
  @UseGuards(BasicAuthGuard)
  projects(@Body() { project_ids }: ProjectsInfoDto): ProjectInfo[] {
    return project_ids.map((projectId) => ({
      external_project_id: projectId,
      internal_project_id: toInternalId(projectId),
    }));
  }

  @Post('graphql')
  @HttpCode(200)
  @UseGuards(BasicAuthGuard)
  query(
    @CurrentPrincipal() caller: Principal,
    @Req() { body }: FastifyRequest,
    @Body() request: GraphqlDto,
  ): Promise<ExecutionResult> {
    if ((body as RequestBody).bytes.length > MAX_GRAPHQL_BYTES) throw new BodyTooLargeError(MAX_GRAPHQL_BYTES);
    return this.graphql.execute(caller, request);
  }
}
