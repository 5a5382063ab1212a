-- AlterTable
ALTER TABLE "project_settings" ADD COLUMN     "redact" JSONB;
