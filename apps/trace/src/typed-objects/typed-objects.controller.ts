import type { Readable } from 'node:stream';

import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal, ProjectNotFoundError } from '@hone/auth';
import {
  type RawJson,
  TypedObjectListQueryDto,
  VersionsDeleteQueryDto,
  VersionsDeleteResultDto,
} from '@hone/contracts';
import { Answers, AnswersLines, QueryTimeoutError, TakesQuery } from '@hone/platform';
import { Delete, Get, Param, Query, type Type, UseGuards } from '@nestjs/common';

import { AliasProtectedError, ObjectDeletedError } from '../objects/object.errors.js';
import { Digests } from './digests.decorator.js';
import { type KindReading, TypedObjectService } from './typed-object.service.js';

/** How the document of the interface speaks of the endpoints of a kind. */
export interface TypedObjectWords {
  /** For example `a model` and `models`. */
  readonly one: string;
  readonly many: string;
  readonly operations: { readonly list: string; readonly get: string; readonly delete: string };
}

/**
 * The base class of the controller of a kind of typed objects: it lists, reads and deletes versions. The controller
 * itself says its path, and how a version is created.
 *
 * @param version the DTO class of a version
 */
export function TypedObjectsController(
  reading: KindReading,
  version: Type,
  { one, many, operations }: TypedObjectWords,
) {
  const { kind } = reading;

  @UseGuards(BasicAuthGuard)
  abstract class Controller {
    constructor(private readonly typedObjects: TypedObjectService) {}

    @Get()
    @AnswersLines(
      version,
      operations.list,
      `List the latest versions of ${many}, one on each line`,
      AccessDeniedError,
      QueryTimeoutError,
    )
    list(
      @CurrentPrincipal() caller: Principal,
      @Param('entity') entity: string,
      @Param('project') project: string,
      @Query() query: TypedObjectListQueryDto,
    ): Promise<RawJson | Readable> {
      return this.typedObjects.list(reading, caller, `${entity}/${project}`, query);
    }

    @Get(':object_id/versions/:digest')
    @Answers(
      version,
      operations.get,
      `Read one version of ${one}`,
      AccessDeniedError,
      ProjectNotFoundError,
      kind.notFound,
      ObjectDeletedError,
    )
    getVersion(
      @CurrentPrincipal() caller: Principal,
      @Param('entity') entity: string,
      @Param('project') project: string,
      @Param('object_id') objectId: string,
      @Param('digest') selector: string,
    ): Promise<RawJson> {
      return this.typedObjects.get(reading, caller, { projectId: `${entity}/${project}`, objectId, selector });
    }

    @Delete(':object_id')
    @TakesQuery(VersionsDeleteQueryDto)
    @Answers(
      VersionsDeleteResultDto,
      operations.delete,
      `Delete versions of ${one}`,
      AccessDeniedError,
      ProjectNotFoundError,
      kind.notFound,
      AliasProtectedError,
    )
    delete(
      @CurrentPrincipal() caller: Principal,
      @Param('entity') entity: string,
      @Param('project') project: string,
      @Param('object_id') objectId: string,
      @Digests() digests: string[] | undefined,
    ): Promise<VersionsDeleteResultDto> {
      return this.typedObjects.delete(kind, caller, { projectId: `${entity}/${project}`, objectId }, digests);
    }
  }
  return Controller;
}
