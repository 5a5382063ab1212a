-- The project that an entry is about: keys that are bound to a project see its entries alone. Earlier entries are filled in where
-- they name one.
ALTER TABLE "audit_log" ADD COLUMN "project" TEXT;

UPDATE "audit_log" SET "project" = CASE
  WHEN "action" IN ('project.create', 'usage_limits.put') AND "subject" LIKE '%/%' THEN "subject"
  WHEN "action" = 'api_key.create' THEN "detail" ->> 'project'
  WHEN "action" LIKE 'checkpoint\_alias.%' THEN substring("detail" ->> 'model' FROM '^[^/]+/[^/]+')
END;

CREATE INDEX "audit_log_project_id_idx" ON "audit_log" ("project", "id");
