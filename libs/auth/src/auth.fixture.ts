import { Controller, Get, HttpCode, Module, Param, Post, UseGuards } from '@nestjs/common';

import { AnyAuthGuard, BasicAuthGuard, BearerAuthGuard } from './auth.guard.js';
import { AuthModule } from './auth.module.js';
import { CurrentPrincipal } from './current-principal.decorator.js';
import type { Principal } from './principal.js';
import { ProjectAccess } from './project-access.js';

/** One route per guard, and two that ask for a project. */
@Controller()
export class WhoController {
  constructor(private readonly access: ProjectAccess) {}

  @Get('basic')
  @UseGuards(BasicAuthGuard)
  basic(@CurrentPrincipal() caller: Principal): { username: string } {
    return { username: caller.username };
  }

  @Get('bearer')
  @UseGuards(BearerAuthGuard)
  bearer(@CurrentPrincipal() caller: Principal): { username: string } {
    return { username: caller.username };
  }

  @Get('projects/:entity/:project')
  @UseGuards(AnyAuthGuard)
  async read(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
  ): Promise<{ exists: boolean }> {
    return { exists: (await this.access.findReadable(caller, 'trace', `${entity}/${project}`)) !== null };
  }

  @Post('projects/:entity/:project')
  @HttpCode(200)
  @UseGuards(AnyAuthGuard)
  async write(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('project') project: string,
  ): Promise<{ id: string }> {
    const grant = await this.access.grantWrite(caller, 'trace', `${entity}/${project}`, 'annotator');
    return { id: await this.access.rowIdFor(caller, grant) };
  }
}

@Module({ imports: [AuthModule.forRoot()], controllers: [WhoController] })
export class WhoModule {}
