import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { entityNameRule, IsEntityName, IsProjectId, IsProjectName } from '../names/names.js';
import { Example } from '../schema/example.js';
import { fromRule, Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsJsonValue, IsText, IsWord, IsTextList, listRule, wordRule } from '../validation/rules.js';

/** What a member of an entity may do; each role includes those before it. */
export const ROLES = ['reader', 'annotator', 'writer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Surfaces that a key opens. */
export const SCOPES = ['trace', 'training', 'inference', 'account'] as const;
export type Scope = (typeof SCOPES)[number];

/** Body of `POST /account/api-keys`. */
@Example({ label: 'ci', scopes: ['trace'], project: 'acme/demo', expires_at: '2027-01-01T00:00:00Z' })
export class ApiKeyCreateDto {
  @IsText({ min: 1, max: 128 }) label!: string;
  /** At least one. Default: those of the calling key, which is also the most that can be given. */
  @IsOptional() @fromRule(listRule(wordRule(SCOPES), { max: 4 })) scopes?: Scope[] | null;
  /** Restricts the key to one project. Default: the restriction of the calling key, mostly none. */
  @IsOptional() @IsProjectId() project?: string | null;
  /** Project that usage is booked to when a request names none. Default: `project`, else `<default entity>/default`. */
  @IsOptional() @IsProjectId() default_project?: string | null;
  /** In the future. Null: never. */
  @IsOptional() @IsDateTime() expires_at?: string | null;
  /** Only admins: user to make the key for. Default: the caller. */
  @IsOptional() @fromRule(entityNameRule) username?: string | null;
  /** How chat completions read absent fields: as OpenAI does, or as the interface lists. */
  @IsOptional() @IsWord(['openai', 'listed']) chat_defaults?: 'openai' | 'listed' | null;
  /**
   * Smallest `priority` of chat completions with this key; lower runs first. Default: 0, or that of the calling key when
   * it is held to more. Only admins give less than the calling key has.
   */
  @IsOptional() @IsInteger({ min: -1_000_000, max: 1_000_000 }) min_priority?: number | null;
}

export class ApiKeyDto {
  @IsText() id!: string;
  /** First characters of the key. */
  @IsText() prefix!: string;
  @IsText() label!: string;
  @IsText() username!: string;
  @IsTextList() scopes!: string[];
  @IsOptional() @IsText() project!: string | null;
  @IsText() default_project!: string;
  @IsOptional() @IsText() chat_defaults!: string | null;
  @IsInteger() min_priority!: number;
  @IsDateTime() created_at!: string;
  @IsOptional() @IsDateTime() expires_at!: string | null;
  /** To the minute. */
  @IsOptional() @IsDateTime() last_used_at!: string | null;
  @IsOptional() @IsDateTime() revoked_at!: string | null;
}

export class ApiKeyCreatedDto extends ApiKeyDto {
  /** The key itself: shown now and never again. */
  @IsText() key!: string;
}

export class ApiKeyListDto {
  @NestedList(() => ApiKeyDto) data!: ApiKeyDto[];
}

/** Body of `POST /account/users`. The user gets an entity of the same name. */
@Example({ username: 'ada' })
export class UserCreateDto {
  @IsEntityName() username!: string;
  @IsOptional() @IsFlag() is_admin?: boolean | null;
}

export class UserDto {
  @IsText() id!: string;
  @IsText() username!: string;
  @IsFlag() is_admin!: boolean;
  @IsText() default_entity!: string;
  @IsDateTime() created_at!: string;
}

export class UserListDto {
  @NestedList(() => UserDto) data!: UserDto[];
}

/** Body of `POST /account/entities`. The caller becomes its owner. */
@Example({ name: 'acme' })
export class EntityCreateDto {
  @IsEntityName() name!: string;
}

export class EntityDto {
  @IsText() name!: string;
  @IsWord(['team', 'user']) kind!: string;
  /** The caller's role; an admin is owner everywhere. */
  @IsWord(ROLES) role!: string;
  @IsDateTime() created_at!: string;
}

export class EntityListDto {
  @NestedList(() => EntityDto) data!: EntityDto[];
}

/** Body of `PUT /account/entities/{entity}/members/{username}`. */
@Example({ role: 'annotator' })
export class MemberPutDto {
  @IsWord(ROLES) role!: Role;
}

export class MemberDto {
  @IsText() entity!: string;
  @IsText() username!: string;
  @IsWord(ROLES) role!: string;
}

/** Body of `POST /account/projects`. */
@Example({ entity: 'acme', name: 'demo' })
export class ProjectCreateDto {
  @IsEntityName() entity!: string;
  @IsProjectName() name!: string;
}

export class ProjectDto {
  /** `<entity>/<project>`. */
  @IsProjectId() project_id!: string;
  @IsDateTime() created_at!: string;
}

export class ProjectListDto {
  @NestedList(() => ProjectDto) data!: ProjectDto[];
}

export class MeDto {
  @Nested(() => UserDto) user!: UserDto;
  @NestedList(() => EntityDto) entities!: EntityDto[];
  /** The key that asked. */
  @Nested(() => ApiKeyDto) api_key!: ApiKeyDto;
}

export class AuditEntryDto {
  @IsText() id!: string;
  @IsDateTime() at!: string;
  @IsText() actor!: string;
  /** `<area>.<verb>`, for example `api_key.revoke`. */
  @IsText() action!: string;
  @IsText() subject!: string;
  @IsJsonValue({ type: 'object' }) detail!: unknown;
}

export class AuditListDto {
  /** Newest first. */
  @NestedList(() => AuditEntryDto) data!: AuditEntryDto[];
  @IsFlag() has_more!: boolean;
}
