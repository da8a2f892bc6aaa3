// A published SDK of the service. Its own name is not known here, only those of its methods.
import assert from "node:assert/strict";

const [, , name] = process.argv;
const url = process.env.STUNTDOUBLE_URL;
const exported = Object.values(await import(name));
const Sdk = exported.find((one) => typeof one === "function" && one.prototype && "listAllProjects" in one.prototype);
const api = new Sdk({ accessToken: process.env.STUNTDOUBLE_TOKEN, baseUrl: url });
const [called, failed] = [new Set(), new Set()];
const good = async (method, ...given) => {
    try {
        const answer = await api[method](...given);
        called.add(method);
        return answer.data;
    } catch (error) {
        failed.add(method);
        console.log(`${method} failed: ${error.status} ${JSON.stringify(error.data ?? String(error)).slice(0, 300)}`);
    }
};
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const until = async (look) => {
    for (let tries = 0; tries < 600; tries += 1) {
        if (await look()) return;
        await pause(50);
    }
    assert.fail(`it never came: ${look}`);
};

const [organization] = await good("listAllOrganizations");
const slug = organization.slug ?? organization.id;
await good("getAnOrganization", slug);
await good("listOrganizationMembers", slug);
await good("createAnOrganization", { name: "Other" });
await good("getAvailableRegions", { organization_slug: slug });
const made = await good("createAProject", { name: "shop", organization_slug: slug, region: "eu-west-1", db_pass: "correct horse" });
const ref = made.id ?? made.ref;
await until(async () => (await good("getProject", ref)).status === "ACTIVE_HEALTHY");
await good("listAllProjects");
await good("getAllProjectsForOrganization", slug);
await good("getServicesHealth", ref, { services: ["db", "rest"] });
await good("applyAMigration", ref, { query: "create table item (id int primary key, name text)", name: "items" });
const [migration] = await good("listMigrationHistory", ref);
await good("getAMigration", ref, migration.version);
await good("patchAMigration", ref, migration.version, { name: "renamed" });
await good("upsertAMigration", ref, { query: "create table other (id int primary key)", name: "other" });
assert.deepEqual(await good("runAQuery", ref, { query: "insert into item values (1, 'a') returning id" }), [{ id: 1 }]);
await good("readOnlyQuery", ref, { query: "select * from item" });
await good("getDatabaseMetadata", ref);
await good("generateTypescriptTypes", ref);
await good("getSecurityAdvisors", ref);
await good("getPerformanceAdvisors", ref);
await good("bulkCreateSecrets", ref, [{ name: "KEY", value: "v" }]);
await good("listAllSecrets", ref);
await good("bulkDeleteSecrets", ref, ["KEY"]);
await good("getProjectApiKeys", ref, { reveal: true });
const key = await good("createProjectApiKey", ref, { type: "publishable", name: "site" });
await good("getProjectApiKey", ref, key.id);
await good("updateProjectApiKey", ref, key.id, { description: "site" });
await good("deleteProjectApiKey", ref, key.id);
await good("getProjectLegacyApiKeys", ref);
await good("updateProjectLegacyApiKeys", ref, { enabled: false });
const signing = await good("createProjectSigningKey", ref, { algorithm: "ES256" });
await good("createLegacySigningKey", ref);
await good("getLegacySigningKey", ref);
await good("getProjectSigningKeys", ref);
await good("getProjectSigningKey", ref, signing.id);
await good("updateProjectSigningKey", ref, signing.id, { status: "in_use" });
await good("updateProjectSigningKey", ref, signing.id, { status: "in_use" });
const spare = await good("createProjectSigningKey", ref, { algorithm: "RS256" });
await good("removeProjectSigningKey", ref, spare.id);
const third = await good("createProjectTpaIntegration", ref, { custom_jwks: { keys: [] } });
await good("listProjectTpaIntegrations", ref);
await good("getProjectTpaIntegration", ref, third.id);
await good("deleteProjectTpaIntegration", ref, third.id);
await good("getAuthServiceConfig", ref);
await good("updateAuthServiceConfig", ref, { site_url: "https://shop.example", saml_enabled: true });
await good("listAllSsoProvider", ref);
for (const read of ["getPostgrestServiceConfig", "getPostgresConfig", "getPoolerConfig", "getProjectPgbouncerConfig", "getStorageConfig",
    "getRealtimeConfig", "getSslEnforcementConfig", "getPgsodiumConfig", "getNetworkRestrictions", "listAllNetworkBans", "listAllNetworkBansEnriched",
    "getReadonlyModeStatus", "getDiskUtilization", "getProjectDiskAutoscaleConfig", "listAllBackups", "listAllBuckets", "listProjectAddons",
    "getJitAccessConfig", "getJitAccess", "listJitAccess", "getPostgresUpgradeEligibility", "getPostgresUpgradeStatus", "getVanitySubdomainConfig",
    "listAllFunctions", "listAvailableRestoreVersions", "disableReadonlyModeTemporarily", "enableDatabaseWebhook", "getDatabaseDisk"]) {
    if (read in api) await good(read, ref);
}
await good("updatePostgrestServiceConfig", ref, { max_rows: 100 });
await good("updatePostgresConfig", ref, { max_connections: 50 });
await good("updatePoolerConfig", ref, { default_pool_size: 20 });
await good("updateStorageConfig", ref, { fileSizeLimit: 1000 });
await good("updateRealtimeConfig", ref, { max_concurrent_users: 100 });
await good("shutdownRealtime", ref);
await good("updateSslEnforcementConfig", ref, { requestedConfig: { database: true } });
await good("updateNetworkRestrictions", ref, { dbAllowedCidrs: ["203.0.113.0/24"] });
await good("patchNetworkRestrictions", ref, { add: { dbAllowedCidrs: ["198.51.100.0/24"] } });
await good("deleteNetworkBans", ref, { ipv4_addresses: [] });
await good("updateProjectName" in api ? "updateProjectName" : "updateAProject", ref, { name: "store" });
await good("updateDatabasePassword", ref, { password: "correct horse battery" });
await until(async () => (await good("getProject", ref)).status === "ACTIVE_HEALTHY");
await good("modifyDatabaseDisk", ref, { attributes: { type: "gp3", size_gb: 20, iops: 3000, throughput_mibps: 125 } });
await good("applyProjectAddon", ref, { addon_type: "compute_instance", addon_variant: "ci_small" });
await until(async () => (await good("getProject", ref)).status === "ACTIVE_HEALTHY");
await good("applyProjectAddon", ref, { addon_type: "pitr", addon_variant: "pitr_7" });
await good("removeProjectAddon", ref, "pitr_7");
const role = await good("createLoginRole", ref, { read_only: true });
assert.ok(role?.password);
await good("deleteLoginRoles", ref);
await good("createProjectClaimToken", ref);
await good("getProjectClaimToken", ref);
await good("deleteProjectClaimToken", ref);
await good("createRestorePoint", ref, { name: "before" });
await until(async () => (await good("getRestorePoint", ref, { name: "before" })).status === "AVAILABLE");
await good("createAFunction", ref, { slug: "hello", name: "hello", body: "export default 1" }, {});
await good("getAFunction", ref, "hello");
await good("updateAFunction", ref, "hello", { name: "Hello" }, {});
await good("getAFunctionBody", ref, "hello");
const branch = await good("createABranch", ref, { branch_name: "dev" });
await good("listAllBranches", ref);
await good("getABranch", ref, "dev");
await until(async () => (await good("getABranchConfig", branch.id)).status === "ACTIVE_HEALTHY");
await good("runAQuery", branch.project_ref, { query: "alter table item add column price int" });
assert.match(String(await good("diffABranch", branch.id)), /add column price/);
await good("updateABranch" in api ? "updateABranch" : "updateABranchConfig", branch.id, { branch_name: "develop" });
const push = await good("pushABranch", branch.id, {});
await until(async () => (await good("getABranchConfig", branch.id)).status === "ACTIVE_HEALTHY");
const runs = await good("listActionRuns", ref);
if (runs?.length) {
    await good("getActionRun", ref, runs[0].id);
    await good("getActionRunLogs", ref, runs[0].id);
    await good("updateActionRunStatus", ref, runs[0].id, { deploy: "RUNNING" });
}
await good("mergeABranch", branch.id, {});
await good("deleteABranch", branch.id);
await good("deleteAFunction", ref, "hello");
await good("getProjectLogs", ref, { sql: "select event_message from edge_logs" });
await good("getProjectUsageApiCount", ref, { interval: "1day" });
await good("getProjectUsageRequestCount", ref);
await good("getProjectFunctionCombinedStats", ref, { interval: "1hr", function_id: "00000000-0000-4000-8000-000000000000" });
await good("listAllSnippets");
await good("undo", ref, { name: "before" });
await until(async () => (await good("getProject", ref)).status === "ACTIVE_HEALTHY");
await good("pauseAProject", ref);
await until(async () => (await good("getProject", ref)).status === "INACTIVE");
await good("restoreAProject", ref);
await until(async () => (await good("getProject", ref)).status === "ACTIVE_HEALTHY");
await good("deleteAProject", ref);
const all = Object.getOwnPropertyNames(Sdk.prototype).filter((one) => !["constructor", "authHeader"].includes(one));
console.log(`sdk: ${called.size} of ${all.length} methods; not called: ${all.filter((one) => !called.has(one)).join(" ")}`);
process.exitCode = failed.size;
