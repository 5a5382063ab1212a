import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { entityNameRule, IsEntityName, IsProjectId, IsProjectName } from '../names/names.js';
import { Example } from '../schema/example.js';
import { fromRule, Nested, NestedList } from '../validation/rule.js';
import {
  IsFlag,
  IsInteger,
  IsJsonValue,
  IsText,
  IsTextList,
  IsWord,
  listRule,
  textRule,
  wordRule,
} from '../validation/rules.js';

/** What a member of an entity may do; each role includes those before it. */
export const ROLES = ['reader', 'annotator', 'writer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Surfaces that a key opens. */
export const SCOPES = ['trace', 'training', 'inference', 'account'] as const;
export type Scope = (typeof SCOPES)[number];

const SCOPE_RULE = listRule(wordRule(SCOPES), { max: 4 });
/** That the list is not empty is checked with the key that is to be made. */
const SCOPE_LIST = { ...SCOPE_RULE, schema: { ...SCOPE_RULE.schema, minItems: 1 } };
const MODEL_LIST = listRule(textRule({ min: 1, max: 512 }), { min: 1, max: 100 });

/** Body of `POST /account/api-keys`. */
@Example({ label: 'ci', scopes: ['trace'], project: 'acme/demo', expires_at: '2099-01-01T00:00:00Z' })
export class ApiKeyCreateDto {
  /** What the key is for, 1 to 128 characters; shown in lists. */
  @IsText({ min: 1, max: 128 }) label!: string;
  /**
   * Surfaces that the key opens, 1 to 4 of them. Absent or null: those of the calling key, which is also the most that
   * can be given.
   */
  @IsOptional() @fromRule(SCOPE_LIST) scopes?: Scope[] | null;
  /**
   * Restricts the key to one project, `<entity>/<project>`. Absent or null: the restriction of the calling key, mostly
   * none.
   */
  @IsOptional() @IsProjectId() project?: string | null;
  /**
   * Project that usage is booked to when a request names none. Absent or null: `project`, else `<default
   * entity>/default`.
   */
  @IsOptional() @IsProjectId() default_project?: string | null;
  /** When the key stops to work, ISO 8601, in the future. Absent or null: never. */
  @IsOptional() @IsDateTime() expires_at?: string | null;
  /** User to make the key for; only admins name another user. Absent or null: the caller. */
  @IsOptional() @fromRule(entityNameRule) username?: string | null;
  /**
   * How chat completions with this key read absent fields: `openai` as OpenAI does, `listed` with the value of
   * `x-listed-default`. Absent or null: `openai`.
   */
  @IsOptional() @IsWord(['openai', 'listed']) chat_defaults?: 'openai' | 'listed' | null;
  /**
   * Smallest `priority` of chat completions with this key, -1,000,000 to 1,000,000; a lower priority runs first. Absent
   * or null: 0, or the floor of the calling key when that is higher. Only admins set a lower floor than the calling key
   * has.
   */
  @IsOptional() @IsInteger({ min: -1_000_000, max: 1_000_000 }) min_priority?: number | null;
  /**
   * Models that requests with this key may name, 1 to 100 names as requests have them; one that ends in `*` stands for all
   * that begin so. Absent or null: those of the calling key, mostly all; others than these cannot be given.
   */
  @IsOptional() @fromRule(MODEL_LIST) models?: string[] | null;
}

/** An API key without its secret. */
export class ApiKeyDto {
  /** Id of the key, a UUID. */
  @IsText() id!: string;
  /** First characters of the key, by which its owner recognises it. */
  @IsText() prefix!: string;
  /** What the key is for, as its owner named it. */
  @IsText() label!: string;
  /** User that the key acts for. */
  @IsText() username!: string;
  /** Surfaces that the key opens: `trace`, `training`, `inference`, `account`. */
  @IsTextList() scopes!: string[];
  /** The only project that the key may use, `<entity>/<project>`. Null: every project of its user. */
  @IsOptional() @IsText() project!: string | null;
  /** Project that usage is booked to when a request names none, `<entity>/<project>`. */
  @IsText() default_project!: string;
  /** How chat completions read absent fields: `openai` or `listed`. Null: `openai`. */
  @IsOptional() @IsText() chat_defaults!: string | null;
  /** Smallest `priority` of chat completions with this key; a lower priority runs first. */
  @IsInteger() min_priority!: number;
  /** Models that requests with this key may name; `*` at the end of one stands for any rest. Null: all. */
  @IsOptional() @IsTextList() models!: string[] | null;
  /** When the key was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** When the key stops to work, ISO 8601 in UTC. Null: never. */
  @IsOptional() @IsDateTime() expires_at!: string | null;
  /** When the key was last used, to the minute. Null: it was never used. */
  @IsOptional() @IsDateTime() last_used_at!: string | null;
  /** When the key was revoked. Null: it is not revoked. */
  @IsOptional() @IsDateTime() revoked_at!: string | null;
}

/** A new API key with its secret. */
export class ApiKeyCreatedDto extends ApiKeyDto {
  /** The secret itself: shown in this answer and never again. */
  @IsText() key!: string;
}

/** Answer of `GET /account/api-keys`. */
export class ApiKeyListDto {
  /** The keys, newest first. */
  @NestedList(() => ApiKeyDto) data!: ApiKeyDto[];
}

/** Body of `POST /account/users`. The user gets an entity of the same name. */
@Example({ username: 'ada' })
export class UserCreateDto {
  /** Name of the user and of their own entity: 1 to 128 of `A-Z a-z 0-9 _ . -`, the first a letter or digit; unique. */
  @IsEntityName() username!: string;
  /** Whether the user administers the server. Absent or null: false. */
  @IsOptional() @IsFlag() is_admin?: boolean | null;
}

/** A user. */
export class UserDto {
  /** Id of the user, a UUID. */
  @IsText() id!: string;
  /** Name of the user. */
  @IsText() username!: string;
  /** Whether the user administers the server. */
  @IsFlag() is_admin!: boolean;
  /** Entity that a request without one falls back to: the one of the same name. */
  @IsText() default_entity!: string;
  /** When the user was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
}

/** Answer of `GET /account/users`. */
export class UserListDto {
  /** All users. */
  @NestedList(() => UserDto) data!: UserDto[];
}

/** Body of `POST /account/entities`. The caller becomes its owner. */
@Example({ name: 'research' })
export class EntityCreateDto {
  /** Name of the team: 1 to 128 of `A-Z a-z 0-9 _ . -`, the first a letter or digit; unique among teams and users. */
  @IsEntityName() name!: string;
}

/** A team or user that owns projects. */
export class EntityDto {
  /** Name of the entity. */
  @IsText() name!: string;
  /** `team`, or `user` for the entity that each user has. */
  @IsWord(['team', 'user']) kind!: string;
  /** The caller's role; an admin is owner everywhere. */
  @IsWord(ROLES) role!: string;
  /** When the entity was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
}

/** Answer of `GET /account/entities`. */
export class EntityListDto {
  /** The entities that the caller is a member of; for an admin all. */
  @NestedList(() => EntityDto) data!: EntityDto[];
}

/** Body of `PUT /account/entities/{entity}/members/{username}`. */
@Example({ role: 'annotator' })
export class MemberPutDto {
  /** What the member may do; each role includes those before it: `reader`, `annotator`, `writer`, `owner`. */
  @IsWord(ROLES) role!: Role;
}

/** A member of an entity. */
export class MemberDto {
  /** Name of the entity. */
  @IsText() entity!: string;
  /** Name of the member. */
  @IsText() username!: string;
  /** What the member may do, or could do before the removal. */
  @IsWord(ROLES) role!: string;
}

/** Answer of `GET /account/entities/{entity}/members`. */
export class MemberListDto {
  /** The members, by their usernames. */
  @NestedList(() => MemberDto) data!: MemberDto[];
}

/** Body of `POST /account/projects`. */
@Example({ entity: 'acme', name: 'demo' })
export class ProjectCreateDto {
  /** Team or user that owns the project. */
  @IsEntityName() entity!: string;
  /**
   * Name of the project within its entity: 1 to 128 characters without `/`, `:`, control characters or outer blanks,
   * not `.` or `..`.
   */
  @IsProjectName() name!: string;
}

/** A project. */
export class ProjectDto {
  /** `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** When the project was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
}

/** Answer of `GET /account/projects`. */
export class ProjectListDto {
  /** The projects of the caller's entities; for an admin all. */
  @NestedList(() => ProjectDto) data!: ProjectDto[];
}

/** Answer of `GET /account/me`. */
export class MeDto {
  /** The calling user. */
  @Nested(() => UserDto) user!: UserDto;
  /** Entities that the user is a member of. */
  @NestedList(() => EntityDto) entities!: EntityDto[];
  /** The key that the request was made with. */
  @Nested(() => ApiKeyDto) api_key!: ApiKeyDto;
}

/** A role that a user has in an entity. */
export class SessionRoleDto {
  /** Name of the entity. */
  @IsText() entity!: string;
  /** What the user may do there; each role includes those before it. */
  @IsWord(ROLES) role!: string;
}

/** A browser that is signed in with a key. It may do what the key may. */
export class SessionDto {
  /** User that the session acts for. */
  @IsText() username!: string;
  /** Whether the user administers the server. */
  @IsFlag() is_admin!: boolean;
  /** Entities that the user is a member of; an admin is owner of all, also of those that are not among these. */
  @NestedList(() => SessionRoleDto) roles!: SessionRoleDto[];
  /** Surfaces that the session opens: those of its key. */
  @IsTextList() scopes!: string[];
  /** The only project that the session may use, `<entity>/<project>`. Null: every project of its user. */
  @IsOptional() @IsText() project!: string | null;
  /** Project that usage is booked to when a request names none, `<entity>/<project>`. */
  @IsText() default_project!: string;
  /** When the session ends if it is not used again, ISO 8601 in UTC. Each use moves this on to 12 hours later. */
  @IsDateTime() expires_at!: string;
}

/** Answer of `GET /account/sessions/status`. */
export class SessionStatusDto {
  /** The session of the request's cookie. Null: nobody is signed in. */
  @IsOptional() @Nested(() => SessionDto) session!: SessionDto | null;
}

/** Answer of `POST /account/sessions/codes`. */
export class SignInCodeDto {
  /** The code; it signs one browser in, once. */
  @IsText() code!: string;
  /** Path of the page that redeems the code, below the address of Hone. */
  @IsText() path!: string;
  /** When the code ends, ISO 8601 in UTC: a minute after it was made. */
  @IsDateTime() expires_at!: string;
}

/** Body of `POST /account/sessions/redeem`. */
@Example({ code: 'Zr0mVq3bQ9yTn5sKfW2xLg7hCd8jPa1e' })
export class SignInCodeRedeemDto {
  /** The code of a sign-in link. */
  @IsText({ min: 1, max: 128 }) code!: string;
}

/** One change to users, keys, roles or limits. */
export class AuditEntryDto {
  /** Id of the entry, a UUID. */
  @IsText() id!: string;
  /** When the change was made, ISO 8601 in UTC. */
  @IsDateTime() at!: string;
  /** Name of the user who made the change. */
  @IsText() actor!: string;
  /** `<area>.<verb>`, for example `api_key.revoke`. */
  @IsText() action!: string;
  /** What was changed, for example the id of a key or the name of an entity. */
  @IsText() subject!: string;
  /** `<entity>/<project>` that the change is about: keys that are bound to it see the entry. Null: none. */
  @IsOptional() @IsText() project!: string | null;
  /** What the change was: a JSON object whose fields depend on the action. */
  @IsJsonValue({ type: 'object' }) detail!: unknown;
}

/** Answer of `GET /account/audit`. */
export class AuditListDto {
  /** The entries, newest first. */
  @NestedList(() => AuditEntryDto) data!: AuditEntryDto[];
  /** Whether older entries follow; ask for them with `after`, the id of the last entry. */
  @IsFlag() has_more!: boolean;
}
