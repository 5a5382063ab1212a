import { AcceptsUnknownFields, fromRule, IsJsonObject, IsText, listRule, textRule } from '@hone/contracts';
import { IsOptional } from 'class-validator';

/** Body of `POST /service/projects_info`. */
@AcceptsUnknownFields()
export class ProjectsInfoDto {
  /** Projects `<entity>/<project>`, at most 1,000. They need not exist. */
  @fromRule(listRule(textRule({ max: 300 }), { max: 1_000 })) project_ids!: string[];
}

/** How the SDKs call a project, and its id in their internal refs. */
export interface ProjectInfo {
  external_project_id: string;
  internal_project_id: string;
}

/** Body of `POST /graphql`. */
@AcceptsUnknownFields()
export class GraphqlDto {
  /** A document with one operation, or with several that have names. */
  @IsText() query!: string;
  /** Values of its variables. Absent or null: none. */
  @IsOptional() @IsJsonObject() variables?: Record<string, unknown> | null;
  /** Name of the operation to execute. Absent or null: there is only one. */
  @IsOptional() @IsText() operationName?: string | null;
}
