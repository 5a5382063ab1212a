-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "username" TEXT COLLATE "C" NOT NULL,
    "is_admin" BOOLEAN NOT NULL DEFAULT false,
    "default_entity_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "entities" (
    "id" UUID NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "entities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "entity_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("entity_id","user_id")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" UUID NOT NULL,
    "entity_id" UUID NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" UUID NOT NULL,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "scopes" TEXT[],
    "only_project" TEXT,
    "default_project" TEXT NOT NULL,
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "id" UUID NOT NULL,
    "actor_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "settings" (
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "user_id" UUID NOT NULL,
    "route" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "response" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("user_id","route","scope","key")
);

-- CreateTable
CREATE TABLE "feedback" (
    "project_id" UUID NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "svc_user_id" UUID NOT NULL,
    "creator" TEXT,
    "feedback_type" TEXT NOT NULL,
    "trace_ref" TEXT NOT NULL,
    "annotation_ref" TEXT,
    "runnable_ref" TEXT,
    "call_ref" TEXT,
    "trigger_ref" TEXT,
    "queue_id" TEXT,
    "payload_text" TEXT,
    "payload_blob" TEXT,
    "payload_json" JSONB,
    "scorer_tags" TEXT[],
    "scorer_tag_reasons" JSONB NOT NULL,
    "scorer_tag_confidences" JSONB NOT NULL,
    "scorer_ratings" JSONB NOT NULL,
    "scorer_rating_reasons" JSONB NOT NULL,
    "scorer_rating_confidences" JSONB NOT NULL,

    CONSTRAINT "feedback_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "object_heads" (
    "project_id" UUID NOT NULL,
    "object_id" TEXT COLLATE "C" NOT NULL,
    "next_version_index" INTEGER NOT NULL,
    "latest_digest" TEXT,
    "latest_created_at" TIMESTAMPTZ(3),
    "latest_version_index" INTEGER,

    CONSTRAINT "object_heads_pkey" PRIMARY KEY ("project_id","object_id")
);

-- CreateTable
CREATE TABLE "object_versions" (
    "project_id" UUID NOT NULL,
    "object_id" TEXT COLLATE "C" NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "version_index" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "kind" TEXT NOT NULL,
    "base_object_class" TEXT,
    "leaf_object_class" TEXT,
    "svc_user_id" UUID NOT NULL,
    "val_text" TEXT,
    "val_blob" TEXT,
    "size_bytes" BIGINT NOT NULL,

    CONSTRAINT "object_versions_pkey" PRIMARY KEY ("project_id","object_id","digest")
);

-- CreateTable
CREATE TABLE "object_tags" (
    "project_id" UUID NOT NULL,
    "object_id" TEXT COLLATE "C" NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "tag" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "svc_user_id" UUID NOT NULL,

    CONSTRAINT "object_tags_pkey" PRIMARY KEY ("project_id","object_id","digest","tag")
);

-- CreateTable
CREATE TABLE "object_aliases" (
    "project_id" UUID NOT NULL,
    "object_id" TEXT COLLATE "C" NOT NULL,
    "alias" TEXT COLLATE "C" NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "svc_user_id" UUID NOT NULL,

    CONSTRAINT "object_aliases_pkey" PRIMARY KEY ("project_id","object_id","alias")
);

-- CreateTable
CREATE TABLE "annotation_queues" (
    "project_id" UUID NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "description" TEXT NOT NULL,
    "scorer_refs" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "annotation_queues_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "annotation_queue_items" (
    "project_id" UUID NOT NULL,
    "queue_id" TEXT NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "call_id" TEXT NOT NULL,
    "call_started_at" TIMESTAMPTZ(3) NOT NULL,
    "call_ended_at" TIMESTAMPTZ(3),
    "call_op_name" TEXT NOT NULL,
    "call_trace_id" TEXT NOT NULL,
    "display_fields" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID NOT NULL,
    "added_by" UUID,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "annotation_queue_items_pkey" PRIMARY KEY ("project_id","queue_id","id")
);

-- CreateTable
CREATE TABLE "annotation_progress" (
    "project_id" UUID NOT NULL,
    "queue_id" TEXT NOT NULL,
    "item_id" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "annotation_progress_pkey" PRIMARY KEY ("project_id","queue_id","item_id","user_id")
);

-- CreateTable
CREATE TABLE "blob_chunks" (
    "project_id" UUID NOT NULL,
    "blob_key" TEXT NOT NULL,
    "chunk_no" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "blob_chunks_pkey" PRIMARY KEY ("project_id","blob_key","chunk_no")
);

-- CreateTable
CREATE TABLE "files" (
    "project_id" UUID NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "files_pkey" PRIMARY KEY ("project_id","digest")
);

-- CreateTable
CREATE TABLE "calls" (
    "project_id" UUID NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "op_name" TEXT,
    "display_name" TEXT,
    "trace_id" TEXT,
    "parent_id" TEXT,
    "thread_id" TEXT,
    "turn_id" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "exception" TEXT,
    "attributes_text" TEXT,
    "attributes_blob" TEXT,
    "attributes_json" JSONB,
    "inputs_text" TEXT,
    "inputs_blob" TEXT,
    "output_text" TEXT,
    "output_blob" TEXT,
    "summary_text" TEXT,
    "summary_blob" TEXT,
    "summary_json" JSONB,
    "input_refs" TEXT[],
    "output_refs" TEXT[],
    "svc_user_id" UUID NOT NULL,
    "run_id" TEXT,
    "run_step" INTEGER,
    "run_step_end" INTEGER,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "calls_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_username_key" ON "users"("username");

-- CreateIndex
CREATE UNIQUE INDEX "entities_name_key" ON "entities"("name");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "projects_entity_id_name_key" ON "projects"("entity_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE INDEX "api_keys_user_id_created_at_idx" ON "api_keys"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE INDEX "feedback_project_id_created_at_id_idx" ON "feedback"("project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "feedback_project_id_trace_ref_created_at_idx" ON "feedback"("project_id", "trace_ref", "created_at");

-- CreateIndex
CREATE INDEX "feedback_project_id_feedback_type_created_at_idx" ON "feedback"("project_id", "feedback_type", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "object_versions_project_id_object_id_version_index_key" ON "object_versions"("project_id", "object_id", "version_index");

-- CreateIndex
CREATE INDEX "object_tags_project_id_tag_idx" ON "object_tags"("project_id", "tag");

-- CreateIndex
CREATE INDEX "object_aliases_project_id_object_id_digest_idx" ON "object_aliases"("project_id", "object_id", "digest");

-- CreateIndex
CREATE INDEX "annotation_queues_project_id_created_at_idx" ON "annotation_queues"("project_id", "created_at");

-- CreateIndex
CREATE INDEX "annotation_queue_items_project_id_queue_id_created_at_id_idx" ON "annotation_queue_items"("project_id", "queue_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "annotation_progress_project_id_queue_id_user_id_state_idx" ON "annotation_progress"("project_id", "queue_id", "user_id", "state");

-- CreateIndex
CREATE INDEX "calls_project_id_started_at_id_idx" ON "calls"("project_id", "started_at", "id");

-- CreateIndex
CREATE INDEX "calls_project_id_trace_id_idx" ON "calls"("project_id", "trace_id");

-- CreateIndex
CREATE INDEX "calls_project_id_parent_id_idx" ON "calls"("project_id", "parent_id");

-- CreateIndex
CREATE INDEX "calls_project_id_op_name_started_at_idx" ON "calls"("project_id", "op_name", "started_at");

-- CreateIndex
CREATE INDEX "calls_project_id_thread_id_idx" ON "calls"("project_id", "thread_id");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_default_entity_id_fkey" FOREIGN KEY ("default_entity_id") REFERENCES "entities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_entity_id_fkey" FOREIGN KEY ("entity_id") REFERENCES "entities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_entity_id_fkey" FOREIGN KEY ("entity_id") REFERENCES "entities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- Text columns above that are sorted or compared by code point carry COLLATE "C", whatever the database's own collation is.

-- What Prisma's schema language cannot say: partial indexes.
CREATE INDEX "feedback_queue_idx" ON "feedback" ("project_id", "queue_id") WHERE "queue_id" IS NOT NULL;
CREATE INDEX "feedback_trigger_ref_idx" ON "feedback" ("project_id", "trigger_ref") WHERE "trigger_ref" IS NOT NULL;
CREATE INDEX "object_versions_live_idx" ON "object_versions" ("project_id", "created_at", "version_index", "object_id") WHERE "deleted_at" IS NULL;
CREATE INDEX "object_versions_live_class_idx" ON "object_versions" ("project_id", "base_object_class") WHERE "deleted_at" IS NULL;
CREATE INDEX "object_heads_latest_idx" ON "object_heads" ("project_id", "latest_created_at", "latest_version_index", "object_id") WHERE "latest_digest" IS NOT NULL;
CREATE UNIQUE INDEX "annotation_queue_items_live_call_key" ON "annotation_queue_items" ("project_id", "queue_id", "call_id") WHERE "deleted_at" IS NULL;
