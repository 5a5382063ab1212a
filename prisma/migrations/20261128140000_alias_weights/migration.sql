-- Shares of versions in the requests that name an alias for a prompt; null: all get the version that it names, as before.
ALTER TABLE "object_aliases" ADD COLUMN "weights" JSONB;
