/** Made of the doc comments by generate-descriptions.mjs. */
export const ACCOUNTS: Record<string, [string, Record<string, string>]> = {
  ApiKeyCreateDto: ["Body of `POST /account/api-keys`.", {
    label: "What the key is for, 1 to 128 characters; shown in lists.",
    scopes: "Surfaces that the key opens, 1 to 4 of them. Absent or null: those of the calling key, which is also the most that can be given.",
    project: "Restricts the key to one project, `<entity>/<project>`. Absent or null: the restriction of the calling key, mostly none.",
    default_project: "Project that usage is booked to when a request names none. Absent or null: `project`, else `<default entity>/default`.",
    expires_at: "When the key stops to work, ISO 8601, in the future. Absent or null: never.",
    username: "User to make the key for; only admins name another user. Absent or null: the caller.",
    chat_defaults: "How chat completions with this key read absent fields: `openai` as OpenAI does, `listed` with the value of `x-listed-default`. Absent or null: `openai`.",
    min_priority: "Smallest `priority` of chat completions with this key, -1,000,000 to 1,000,000; a lower priority runs first. Absent or null: 0, or the floor of the calling key when that is higher. Only admins set a lower floor than the calling key has.",
    models: "Models that requests with this key may name, 1 to 100 names as requests have them; one that ends in `*` stands for all that begin so. Absent or null: those of the calling key, mostly all; others than these cannot be given.",
  }], ApiKeyDto: ["An API key without its secret.", {
    id: "Id of the key, a UUID.",
    prefix: "First characters of the key, by which its owner recognises it.",
    label: "What the key is for, as its owner named it.",
    username: "User that the key acts for.",
    scopes: "Surfaces that the key opens: `trace`, `training`, `inference`, `account`.",
    project: "The only project that the key may use, `<entity>/<project>`. Null: every project of its user.",
    default_project: "Project that usage is booked to when a request names none, `<entity>/<project>`.",
    chat_defaults: "How chat completions read absent fields: `openai` or `listed`. Null: `openai`.",
    min_priority: "Smallest `priority` of chat completions with this key; a lower priority runs first.",
    models: "Models that requests with this key may name; `*` at the end of one stands for any rest. Null: all.",
    created_at: "When the key was made, ISO 8601 in UTC.",
    expires_at: "When the key stops to work, ISO 8601 in UTC. Null: never.",
    last_used_at: "When the key was last used, to the minute. Null: it was never used.",
    revoked_at: "When the key was revoked. Null: it is not revoked.",
  }], ApiKeyCreatedDto: ["A new API key with its secret.", {
    key: "The secret itself: shown in this answer and never again.",
  }], ApiKeyListDto: ["Answer of `GET /account/api-keys`.", {
    data: "The keys, newest first.",
  }], UserCreateDto: ["Body of `POST /account/users`. The user gets an entity of the same name.", {
    username: "Name of the user and of their own entity: 1 to 128 of `A-Z a-z 0-9 _ . -`, the first a letter or digit; unique.",
    is_admin: "Whether the user administers the server. Absent or null: false.",
  }], UserDto: ["A user.", {
    id: "Id of the user, a UUID.",
    username: "Name of the user.",
    is_admin: "Whether the user administers the server.",
    default_entity: "Entity that a request without one falls back to: the one of the same name.",
    created_at: "When the user was made, ISO 8601 in UTC.",
  }], UserListDto: ["Answer of `GET /account/users`.", {
    data: "All users.",
  }], EntityCreateDto: ["Body of `POST /account/entities`. The caller becomes its owner.", {
    name: "Name of the team: 1 to 128 of `A-Z a-z 0-9 _ . -`, the first a letter or digit; unique among teams and users.",
  }], EntityDto: ["A team or user that owns projects.", {
    name: "Name of the entity.",
    kind: "`team`, or `user` for the entity that each user has.",
    role: "The caller's role; an admin is owner everywhere.",
    created_at: "When the entity was made, ISO 8601 in UTC.",
  }], EntityListDto: ["Answer of `GET /account/entities`.", {
    data: "The entities that the caller is a member of; for an admin all.",
  }], MemberPutDto: ["Body of `PUT /account/entities/{entity}/members/{username}`.", {
    role: "What the member may do; each role includes those before it: `reader`, `annotator`, `writer`, `owner`.",
  }], MemberDto: ["A member of an entity.", {
    entity: "Name of the entity.",
    username: "Name of the member.",
    role: "What the member may do, or could do before the removal.",
  }], MemberListDto: ["Answer of `GET /account/entities/{entity}/members`.", {
    data: "The members, by their usernames.",
  }], ProjectCreateDto: ["Body of `POST /account/projects`.", {
    entity: "Team or user that owns the project.",
    name: "Name of the project within its entity: 1 to 128 characters without `/`, `:`, control characters or outer blanks, not `.` or `..`.",
  }], ProjectDto: ["A project.", {
    project_id: "`<entity>/<project>`, for example `acme/summarizer`.",
    created_at: "When the project was made, ISO 8601 in UTC.",
  }], ProjectListDto: ["Answer of `GET /account/projects`.", {
    data: "The projects of the caller's entities; for an admin all.",
  }], MeDto: ["Answer of `GET /account/me`.", {
    user: "The calling user.",
    entities: "Entities that the user is a member of.",
    api_key: "The key that the request was made with.",
  }], SessionRoleDto: ["A role that a user has in an entity.", {
    entity: "Name of the entity.",
    role: "What the user may do there; each role includes those before it.",
  }], SessionDto: ["A browser that is signed in with a key. It may do what the key may.", {
    username: "User that the session acts for.",
    is_admin: "Whether the user administers the server.",
    roles: "Entities that the user is a member of; an admin is owner of all, also of those that are not among these.",
    scopes: "Surfaces that the session opens: those of its key.",
    project: "The only project that the session may use, `<entity>/<project>`. Null: every project of its user.",
    default_project: "Project that usage is booked to when a request names none, `<entity>/<project>`.",
    expires_at: "When the session ends if it is not used again, ISO 8601 in UTC. Each use moves this on to 12 hours later.",
  }], SessionStatusDto: ["Answer of `GET /account/sessions/status`.", {
    session: "The session of the request's cookie. Null: nobody is signed in.",
  }], SignInCodeDto: ["Answer of `POST /account/sessions/codes`.", {
    code: "The code; it signs one browser in, once.",
    path: "Path of the page that redeems the code, below the address of Hone.",
    expires_at: "When the code ends, ISO 8601 in UTC: a minute after it was made.",
  }], SignInCodeRedeemDto: ["Body of `POST /account/sessions/redeem`.", {
    code: "The code of a sign-in link.",
  }], AuditEntryDto: ["One change to users, keys, roles or limits.", {
    id: "Id of the entry, a UUID.",
    at: "When the change was made, ISO 8601 in UTC.",
    actor: "Name of the user who made the change.",
    action: "`<area>.<verb>`, for example `api_key.revoke`.",
    subject: "What was changed, for example the id of a key or the name of an entity.",
    project: "`<entity>/<project>` that the change is about: keys that are bound to it see the entry. Null: none.",
    detail: "What the change was: a JSON object whose fields depend on the action.",
  }], AuditListDto: ["Answer of `GET /account/audit`.", {
    data: "The entries, newest first.",
    has_more: "Whether older entries follow; ask for them with `after`, the id of the last entry.",
  }], AuditQueryDto: ["Query of `GET /account/audit`.", {
    limit: "Most entries to answer, 1 to 1,000. Absent: 50.",
    after: "Id of the last entry of the page before. Absent: from the newest.",
    actor: "Name of the user who made the change, 1 to 128 characters. Absent: of anybody.",
    action: "An action, for example `api_key.revoke`, or an area, for example `api_key`. Absent: any.",
    from: "Entries of this time and later, ISO 8601. Absent: from the first.",
    to: "Entries before this time, ISO 8601. Absent: to the newest.",
  }],
};
