/** Made of the OpenAPI document by generate-endpoints.mjs. */
import type {
  ApiKeyCreateDto,
  ApiKeyCreatedDto,
  ApiKeyDto,
  ApiKeyListDto,
  AuditListDto,
  EmptyResultDto,
  EntityCreateDto,
  EntityDto,
  EntityListDto,
  MeDto,
  MemberDto,
  MemberListDto,
  MemberPutDto,
  ProjectCreateDto,
  ProjectDto,
  ProjectListDto,
  SessionDto,
  SessionStatusDto,
  SignInCodeDto,
  SignInCodeRedeemDto,
  UserCreateDto,
  UserDto,
  UserListDto,
} from '@hone/contracts';

import type { RequestOptions } from '../transport/request-options.js';

export interface AccountsEndpoints {
  /** List the caller's keys, newest first; an admin gets everyone's: `GET /account/api-keys`. */
  listApiKeys(options?: RequestOptions): Promise<ApiKeyListDto>;
  /** Create an API key; the answer shows its secret, this one time: `POST /account/api-keys`. */
  createApiKey(body: ApiKeyCreateDto, options?: RequestOptions): Promise<ApiKeyCreatedDto>;
  /** Revoke an API key: `DELETE /account/api-keys/{id}`. */
  revokeApiKey(params: { id: string }, options?: RequestOptions): Promise<ApiKeyDto>;
  /** List changes to accounts, newest first: an admin sees all, others their own: `GET /account/audit`. */
  listAuditEntries(
    params?: { limit?: number; after?: string; actor?: string; action?: string; from?: string; to?: string },
    options?: RequestOptions,
  ): Promise<AuditListDto>;
  /** List the entities that the caller is a member of; an admin gets all: `GET /account/entities`. */
  listEntities(options?: RequestOptions): Promise<EntityListDto>;
  /** Create a team that the caller owns: `POST /account/entities`. */
  createEntity(body: EntityCreateDto, options?: RequestOptions): Promise<EntityDto>;
  /** Read the calling user, their entities and the key in use: `GET /account/me`. */
  getMe(options?: RequestOptions): Promise<MeDto>;
  /** List who may do what in an entity; members and admins only: `GET /account/entities/{entity}/members`. */
  listMembers(params: { entity: string }, options?: RequestOptions): Promise<MemberListDto>;
  /** Make a user a member with a role; owners and admins only: `PUT /account/entities/{entity}/members/{username}`. */
  putMember(
    params: { entity: string; username: string },
    body: MemberPutDto,
    options?: RequestOptions,
  ): Promise<MemberDto>;
  /** Remove a member, and answer what they were; owners and admins only: `DELETE /account/entities/{entity}/members/{username}`. */
  deleteMember(params: { entity: string; username: string }, options?: RequestOptions): Promise<MemberDto>;
  /** List the projects of the caller's entities; an admin gets all: `GET /account/projects`. */
  listProjects(options?: RequestOptions): Promise<ProjectListDto>;
  /** Create a project; writers of the entity only: `POST /account/projects`. */
  createProject(body: ProjectCreateDto, options?: RequestOptions): Promise<ProjectDto>;
  /** Sign a browser in with the key of the request: sets the cookie hone_session: `POST /account/sessions`. */
  openSession(options?: RequestOptions): Promise<SessionDto>;
  /** Sign out everywhere: end all sessions of the calling user: `DELETE /account/sessions`. */
  endAllSessions(options?: RequestOptions): Promise<EmptyResultDto>;
  /** Make a code that signs one browser in with the key of the request: `POST /account/sessions/codes`. */
  createSignInCode(options?: RequestOptions): Promise<SignInCodeDto>;
  /** Read the session of the request: `GET /account/sessions/current`. */
  getSession(options?: RequestOptions): Promise<SessionDto>;
  /** Sign out: end the session of the request: `DELETE /account/sessions/current`. */
  endSession(options?: RequestOptions): Promise<EmptyResultDto>;
  /** Sign a browser in with a code: sets the cookie hone_session: `POST /account/sessions/redeem`. */
  redeemSignInCode(body: SignInCodeRedeemDto, options?: RequestOptions): Promise<SessionDto>;
  /** Ask who is signed in by the cookie of the request, if anybody is: `GET /account/sessions/status`. */
  getSessionStatus(options?: RequestOptions): Promise<SessionStatusDto>;
  /** List all users; admins only: `GET /account/users`. */
  listUsers(options?: RequestOptions): Promise<UserListDto>;
  /** Create a user and the entity of the same name; admins only: `POST /account/users`. */
  createUser(body: UserCreateDto, options?: RequestOptions): Promise<UserDto>;
}

/** What sends each: method, flags (see `toMethod`) and path. */
export const ACCOUNTS = {
  listApiKeys: 'GET jr /account/api-keys',
  createApiKey: 'POST jd /account/api-keys',
  revokeApiKey: 'DELETE jpr /account/api-keys/{id}',
  listAuditEntries: 'GET jpr /account/audit',
  listEntities: 'GET jr /account/entities',
  createEntity: 'POST jkd /account/entities',
  getMe: 'GET jr /account/me',
  listMembers: 'GET jpr /account/entities/{entity}/members',
  putMember: 'PUT jprd /account/entities/{entity}/members/{username}',
  deleteMember: 'DELETE jpr /account/entities/{entity}/members/{username}',
  listProjects: 'GET jr /account/projects',
  createProject: 'POST jkd /account/projects',
  openSession: 'POST j /account/sessions',
  endAllSessions: 'DELETE jr /account/sessions',
  createSignInCode: 'POST j /account/sessions/codes',
  getSession: 'GET jr /account/sessions/current',
  endSession: 'DELETE jr /account/sessions/current',
  redeemSignInCode: 'POST jd /account/sessions/redeem',
  getSessionStatus: 'GET jr /account/sessions/status',
  listUsers: 'GET jr /account/users',
  createUser: 'POST jkd /account/users',
} as const;
