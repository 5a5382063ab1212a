-- CreateIndex
CREATE INDEX "object_aliases_project_id_alias_idx" ON "object_aliases"("project_id", "alias");

-- What Prisma's schema language cannot say: partial indexes.
-- Whether an object has live versions of a kind with another class, however many versions it has.
CREATE INDEX "object_versions_live_kind_idx" ON "object_versions" ("project_id", "object_id", "kind", "base_object_class") WHERE "deleted_at" IS NULL;
-- The newest live version of an object, which becomes the latest when that one is deleted.
CREATE INDEX "object_versions_live_newest_idx" ON "object_versions" ("project_id", "object_id", "created_at", "version_index") WHERE "deleted_at" IS NULL;
