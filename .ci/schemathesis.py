"""Hooks for Schemathesis: a prepared world, which is the same before each call, and the names of things in it."""

import http.client
import json
import os
import re
from datetime import datetime
from urllib.parse import parse_qs, urlencode, urlsplit
from zlib import crc32

import schemathesis
from hypothesis import strategies
from schemathesis.generation.meta import TestPhase

URL = os.environ["STUNTDOUBLE_URL"]
TOKEN = os.environ["STUNTDOUBLE_TOKEN"]
CLIENT_ID = "6f1c2a30-8d7b-4e51-9a64-0b3f5c7d9e12"
CLIENT_SECRET = "app-secret"
REDIRECT_URI = "https://client.example/callback"
PROJECTS = ["full", "branded", "hosted", "verified", "paused", "restoring", "newer", "removed"]
METADATA = '<EntityDescriptor entityID="https://{}.example"/>'
SERVER = http.client.HTTPConnection(urlsplit(URL).netloc)
# Whether the world speaks the newest edition of the API, not the first one, of which the documents are.
NEWEST = os.environ.get("EDITION") != "2025-05"


def call(method, path, body=None):
    """Makes a call, which must succeed."""
    data = None if body is None else json.dumps(body)
    SERVER.request(method, path, data, {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"})
    response = SERVER.getresponse()
    text = response.read()
    assert response.status < 300, f"{method} {path}: {response.status} {text}"
    return json.loads(text) if text else None


def advance(seconds):
    call("POST", "/_sim/clock/advance", {"ms": seconds * 1000})


def project(name, **more):
    fields = {"name": name, "organization_id": "acme", "region": "eu-west-1", "db_pass": "correct horse", **more}
    return call("POST", "/v1/projects", fields)["id"]


def addon(ref, name):
    call("PUT", f"/_sim/projects/{ref}/addons/{name}", {"enabled": True})


def fill(ref):
    """Creates one of everything that a project can have; returns their names."""
    at = f"/v1/projects/{ref}"
    call("PUT", f"/_sim/projects/{ref}/instance-size", {"instance_size": "small"})
    addon(ref, "pitr_7")
    addon(ref, "custom_domain")
    advance(86_400)
    call("POST", f"{at}/secrets", [{"name": "API_KEY", "value": "secret"}])
    call("POST", f"{at}/functions", {"slug": "acme", "name": "Acme", "body": "export default () => 1"})
    call("PATCH", f"{at}/config/auth", {"saml_enabled": True})
    provider = {"type": "saml", "metadata_xml": METADATA.format("first")}
    provider = call("POST", f"{at}/config/auth/sso/providers", provider)["id"]
    branch = call("POST", f"{at}/branches", {"branch_name": "feature"})["id"]
    going = call("POST", f"{at}/branches", {"branch_name": "going"})["id"]
    call("POST", f"{at}/read-replicas/setup", {"read_replica_region": "us-east-1"})
    user = call("GET", "/_sim/users")[0]["name"]
    snippet = {"user": user, "project_ref": ref, "name": "Count", "sql": "select count(*) from users"}
    snippet = call("POST", "/_sim/snippets", snippet)["id"]
    advance(3600)
    replica = call("GET", f"/_sim/projects/{ref}/read-replicas")[0]["database_identifier"]
    newer = fill_newest(ref, branch, going) if NEWEST else {}
    advance(600)
    return {
        **newer,
        "provider_id": [provider],
        "branch_id": [branch],
        "id": [snippet],
        "database_identifier": [replica],
    }


def fill_newest(ref, branch, going):
    """One of everything that a project can have since the first edition."""
    at = f"/v1/projects/{ref}"
    key = call("POST", f"{at}/api-keys", {"type": "publishable", "name": "website"})["id"]
    call("DELETE", f"/v1/branches/{going}?force=false")
    call("POST", f"{at}/database/migrations", {"query": "create table noted ()", "name": "noted"})
    migration = call("GET", f"{at}/database/migrations")[-1]["version"]
    third = call("POST", f"{at}/config/auth/third-party-auth", {"custom_jwks": {"keys": []}})["id"]
    signing = call("POST", f"{at}/config/auth/signing-keys", {"algorithm": "ES256"})["id"]
    call("POST", f"{at}/config/auth/signing-keys/legacy")
    run = call("POST", f"/v1/branches/{branch}/push", {})["workflow_run_id"]
    call("POST", f"{at}/database/backups/restore-point", {"name": "before"})
    invite = {"email": "guest@example.com", "roles": [{"role": "postgres"}]}
    invite = call("POST", f"{at}/database/jit/invite", invite)["invite_id"]
    backup = call("GET", f"{at}/database/backups")["backups"][0]["id"]
    claim = call("POST", f"{at}/claim-token")["token"]
    claimer = call("POST", "/v1/organizations", {"name": "Globex"})["id"]
    call("PUT", f"/_sim/organizations/{claimer}/plan", {"plan": "enterprise"})
    return {
        **second_version(ref),
        "going_branch": [going],
        "api_key": [key],
        "branch_name_in_path": ["feature"],
        "migration": [migration],
        "tpa_id": [third],
        "signing_key": [signing],
        "run_id": [run],
        "restore_point": ["before"],
        "claim": [claim],
        "invite_id": [invite],
        "invite_email": ["guest@example.com"],
        "daily_backup": [backup],
        "claimer": [claimer],
        "target_organization_slug": [claimer],
        "addon": ["pitr_7", "custom_domain"],
        "disk": [{"type": "gp3", "size_gb": 100, "iops": 4000, "throughput_mibps": 250}],
    }


def data(kind, attributes):
    return {"data": {"type": kind, "attributes": attributes}}


def webhook(owner):
    """Creates an endpoint, and posts an event to it, which nobody receives; returns the ids of both."""
    at = f"/v2/{owner}/webhooks/endpoints"
    wanted = {"url": "http://127.0.0.1:9/hook", "event_types": [{"type": "*"}], "signing_secret": "a secret of tests"}
    endpoint = call("POST", at, data("endpoint", wanted))["data"]["id"]
    delivery = call("POST", f"{at}/{endpoint}/test", {})["data"]["id"]
    # The server records the failure on its own time, and the snapshot should have it.
    while call("GET", f"/v2/{owner}/webhooks/deliveries/{delivery}")["data"]["attributes"]["status"] == "pending":
        pass
    return [endpoint], [delivery]


def webhooks(ref):
    """Endpoints of a project and of its organization."""
    told, delivery = webhook(f"projects/{ref}")
    told_of_all, delivery_of_all = webhook("organizations/acme")
    return {
        "webhook": told,
        "delivery": delivery,
        "webhook_of_all": told_of_all,
        "delivery_of_all": delivery_of_all,
    }


def second_version(ref):
    """One of everything that a project can have in /v2."""
    at = f"/v2/projects/{ref}"
    notebook = {"name": "Sales", "content": {"cells": [{"type": "markdown", "text": "# Sales"}]}}
    notebook = call("POST", f"{at}/notebooks", data("notebook", notebook))["data"]["id"]
    drain = {"name": "archive", "backend_type": "s3", "config": {}}
    drain = call("POST", f"{at}/analytics/log-drains", data("log_drain", drain))["data"]["id"]
    link = data("private_link_association", {"cloud_a_account_id": "123456789012"})
    call("POST", f"{at}/private-link/associations", link)
    call("POST", "/_sim/users", {"name": "guest"})
    call("PUT", "/_sim/organizations/acme/members/guest", {"role": "Developer"})
    members = call("GET", "/v1/organizations/acme/members")
    member = [one["user_id"] for one in members if one["user_name"] == "guest"]
    call("PUT", f"/_sim/projects/{ref}/vcs-connection", {"repository": "acme/shop"})
    spec = {"exposure": "public", "instances": 1, "size": "small"}
    call("POST", f"{at}/compute/worker/deploy", data("project_compute_instance", {"spec": spec}))
    upload = call("POST", f"{at}/compute/worker/uploads")["data"]["id"]
    advance(60)
    return {
        "worker": ["worker"],
        "context_upload_id": [upload],
        "instances": [1],
        "secret_name": ["API_KEY"],
        "notebook": [notebook],
        "drain": [drain],
        "member": member,
        "cloud_a_account_id": ["123456789012"],
        "linked_database": [ref],
    }


def let_in(ref):
    """Enables logins of members to a project's database; returns the member and the roles."""
    at = f"/v1/projects/{ref}"
    call("PUT", f"{at}/ssl-enforcement", {"requestedConfig": {"database": True}})
    advance(600)
    call("PUT", f"{at}/jit-access", {"state": "enabled"})
    user = call("GET", "/v1/profile")["auth_server_id"]
    call("PUT", f"{at}/database/jit", {"user_id": user, "roles": [{"role": "postgres"}]})
    return {"user_id": [user], "jit_role": ["postgres"], "rhost": ["203.0.113.10"]}


def hostname(ref, name):
    """Creates a custom hostname, which waits for its records."""
    addon(ref, "custom_domain")
    begun = call("POST", f"/v1/projects/{ref}/custom-hostname/initialize", {"custom_hostname": name})
    return begun["data"]["result"]


def verify(ref, wanted):
    """Sets the records that a custom hostname waits for, and lets the check find them."""
    owner, challenge = wanted["ownership_verification"], wanted["ssl"]["validation_records"][0]
    call("PUT", f"/_sim/dns/{wanted['hostname']}", {"cname": wanted["custom_origin_server"]})
    call("PUT", f"/_sim/dns/{owner['name']}", {"txt": [owner["value"]]})
    call("PUT", f"/_sim/dns/{challenge['txt_name']}", {"txt": [challenge["txt_value"]]})
    call("POST", f"/v1/projects/{ref}/custom-hostname/reverify")


def authorize():
    """Authorizes an app to act for a user; returns the values that it can exchange for tokens."""
    app = {"name": "App", "redirect_uris": [REDIRECT_URI], "scopes": ["projects:read"]}
    call("POST", "/_sim/oauth/apps", {**app, "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET})
    client = {"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "redirect_uri": REDIRECT_URI}
    tokens = call("POST", "/v1/oauth/token", {**client, "grant_type": "authorization_code", "code": code()})
    return {"code": [code()], "refresh_token": [tokens["refresh_token"]]}


def code():
    query = urlencode({"client_id": CLIENT_ID, "response_type": "code", "redirect_uri": REDIRECT_URI})
    SERVER.request("GET", f"/v1/oauth/authorize?{query}")
    response = SERVER.getresponse()
    response.read()
    return parse_qs(urlsplit(response.headers["location"]).query)["code"][0]


def prepare():
    """Creates projects in the important states, one with everything. Returns the names of all things; the clock is paused."""
    newer = {"newer": {"postgres_engine": "17"}}
    # Only this plan can set the time of day of backups.
    call("PUT", "/_sim/organizations/acme/plan", {"plan": "enterprise"})
    refs = {name: project(name, **newer.get(name, {})) for name in PROJECTS}
    advance(600)
    made = fill(refs["full"])
    if NEWEST:
        made |= let_in(refs["newer"])
    call("POST", f"/v1/projects/{refs['branded']}/vanity-subdomain/activate", {"vanity_subdomain": "brand"})
    hostname(refs["hosted"], "app.example.com")
    verify(refs["verified"], hostname(refs["verified"], "www.example.com"))
    call("POST", f"/v1/projects/{refs['paused']}/pause")
    call("POST", f"/v1/projects/{refs['restoring']}/pause")
    advance(600)
    call("DELETE", f"/v1/projects/{refs['removed']}")
    call("POST", f"/v1/projects/{refs['restoring']}/restore")
    backups = call("GET", f"/v1/projects/{refs['branded']}/database/backups")["backups"]
    tokens = authorize()
    new = project("new")
    if NEWEST:
        made |= webhooks(refs["full"])
    now = call("GET", "/_sim/clock")["now"]
    call("POST", "/_sim/snapshots", {"name": "prepared"})
    return {
        "ref": [*refs.values(), new],
        "project_ref": [refs["full"]],
        "organization_id": ["acme"],
        "organization_slug": ["acme"],
        # Both an organization and a function have this name.
        "slug": ["acme"],
        "function_slug": ["acme"],
        "client_id": [CLIENT_ID],
        "client_secret": [CLIENT_SECRET],
        "redirect_uri": [REDIRECT_URI],
        # The file of the function, and Schemathesis's name for a file that it sends.
        "entrypoint_path": ["index.ts", "file"],
        "import_map_path": ["index.ts", "file"],
        "query": ["select now()"],
        "api_schema": ["public"],
        "target_version": ["17"],
        "postgres_engine": ["15"],
        "release_channel": ["ga"],
        "metadata_xml": [METADATA.format("second"), METADATA.format("first")],
        "recovery_time_target_unix": [int(datetime.fromisoformat(now).timestamp()) - 3600],
        "logical_backup": [backups[0]["id"]],
        **made,
        **tokens,
    }


NAMES = prepare()
UUID = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
# The pattern of good values; other values are not replaced.
GOOD = {
    "ref": "[a-z]{20}",
    "project_ref": "[a-z]{20}",
    "slug": "[A-Za-z0-9_-]+",
    # Any text may be one, where a project is created.
    "organization_slug": "(?s:.*)",
    "function_slug": "[A-Za-z0-9_-]+",
    "provider_id": UUID,
    "branch_id": f"{UUID}|[a-z]{{20}}",
    "id": UUID,
    "client_id": UUID,
    "tpa_id": UUID,
    "run_id": UUID,
    "user_id": UUID,
    "invite_id": UUID,
    "daily_backup": "-?[0-9]+",
    "logical_backup": ".*",
    "instances": "-?[0-9]+",
    "notebook": UUID,
    "drain": UUID,
    "member": UUID,
    "webhook": UUID,
    "delivery": UUID,
    "webhook_of_all": UUID,
    "delivery_of_all": UUID,
    "cloud_a_account_id": "[0-9]{12}",
}
# The projects on which operations have an effect; for others, the full project, which is the first. A method in front stands
# for that one of the path's operations.
HOMES = {
    "POST /config/auth/signing-keys/legacy": "branded",
    "/restore": "paused",
    "/restore/cancel": "restoring",
    "/upgrade": "branded",
    "/vanity-subdomain": "branded",
    "/custom-hostname": "hosted",
    "/custom-hostname/reverify": "hosted",
    "/custom-hostname/activate": "verified",
    "/jit-access": "newer",
    "/database/jit": "newer",
    "/database/jit/list": "newer",
    "/database/jit/{user_id}": "newer",
    "/backups/download": "branded",
}


LINKED = "private-link/associations/cloud_a-account/{cloud_a_account_id}"
# Names that mean another thing at other places.
CALLED = {
    ("/v1/projects/{ref}/api-keys/{id}", "id"): "api_key",
    ("/v1/projects/{ref}/branches/{name}", "name"): "branch_name_in_path",
    ("/v1/projects/{ref}/database/migrations/{version}", "version"): "migration",
    ("/v1/branches/{branch_id}/restore", "branch_id"): "going_branch",
    ("/v1/projects/{ref}/config/auth/signing-keys/{id}", "id"): "signing_key",
    ("/v1/projects/{ref}/database/backups/restore-point", "name"): "restore_point",
    ("/v1/projects/{ref}/database/backups/undo", "name"): "restore_point",
    ("/v1/projects/{ref}/billing/addons/{addon_variant}", "addon_variant"): "addon",
    ("/v1/projects/{ref}/database/openapi", "schema"): "api_schema",
    ("/v1/projects/{ref}/database/jit", "role"): "jit_role",
    ("/v1/projects/{ref}/config/disk", "attributes"): "disk",
    ("/v1/projects/{ref}/database/jit/invite/accept", "email"): "invite_email",
    ("/v1/projects/{ref}/database/jit/invite/accept", "token"): "invite_id",
    ("/v1/projects/{ref}/database/backups/restore", "id"): "daily_backup",
    ("/v1/organizations/{slug}/project-claim/{token}", "token"): "claim",
    ("/v1/organizations/{slug}/project-claim/{token}", "slug"): "claimer",
    ("/v2/projects/{ref}/compute/{name}", "name"): "worker",
    ("/v2/projects/{ref}/compute/{name}/deploy", "name"): "worker",
    ("/v2/projects/{ref}/compute/{name}/uploads", "name"): "worker",
    **{
        (f"/v2/{owner}/webhooks/{kind}/{{id}}{rest}", "id"): f"{name}{of}"
        for owner, of in [("projects/{ref}", ""), ("organizations/{slug}", "_of_all")]
        for kind, name in [("endpoints", "webhook"), ("deliveries", "delivery")]
        for rest in ["", "/test", "/deliveries", "/retry"]
    },
    ("/v2/projects/{ref}/notebooks/{id}", "id"): "notebook",
    ("/v2/projects/{ref}/analytics/log-drains/{id}", "id"): "drain",
    ("/v2/projects/{ref}/backups/download", "id"): "logical_backup",
    (f"/v2/projects/{{ref}}/{LINKED}/database/{{database_identifier}}", "database_identifier"): "linked_database",
    ("/v2/organizations/{slug}/members/{user_id}", "user_id"): "member",
    ("/v2/organizations/{slug}/members/{user_id}/roles", "user_id"): "member",
}


# Alternative fields for the same value. They must not contradict the others.
OTHER_WAYS = {"/v1/projects": ["organization_id", "region_selection"]}


# What is created needs a name that nothing has yet.
NEW_NAMES = {
    ("POST /v1/projects/{ref}/functions", "slug"),
    ("POST /v1/projects/{ref}/database/backups/restore-point", "name"),
}


# Fields that are optional because a client may say the same in a header, which made-up calls do not have.
OFTEN_NEEDED = {"/v1/oauth/token": ["client_id", "client_secret"]}


def put_names(operation, fields, choice):
    """Replaces good values by names of existing things: all of them with choice 0, otherwise four out of five."""
    if operation.method.upper() == "POST":
        for name in OTHER_WAYS.get(operation.path, []):
            fields.pop(name, None)
        for name in OFTEN_NEEDED.get(operation.path, []):
            if choice // 2 % 5 < 4:
                fields.setdefault(name, NAMES[name][0])
    path = re.sub("^/v[12]/projects/{ref}", "", operation.path)
    home = HOMES.get(f"{operation.method.upper()} {path}") or HOMES.get(path, PROJECTS[0])
    for name in sorted(fields):
        called = CALLED.get((operation.path, name), name)
        names = NAMES.get(called)
        if names is None:
            continue
        value = fields[name]
        if (operation.label, name) in NEW_NAMES:
            continue
        if name == "ref" and choice % 2 == 0:
            names = [names[PROJECTS.index(home)]]
        # The token of an invitation is its id, but it accepts any text.
        form = ".*" if name == "token" else GOOD.get(called, GOOD.get(name, ".*"))
        kinds = {type(value), type(names[0])}
        good = (len(kinds) == 1 or kinds == {int, float}) and re.fullmatch(form, str(value), re.ASCII)
        if good and choice // 2 % 5 < 4:
            fields[name] = names[choice // 10 % len(names)]


for version in [4, 6]:
    networks = strategies.ip_addresses(v=version).map(lambda address: f"{address}/{address.max_prefixlen}")
    schemathesis.openapi.format(f"ipv{version}-cidr", networks)


@schemathesis.hook
def before_call(context, case, kwargs):
    """The world is in its prepared state before each call. So an answer depends only on the call, and failures are
    reproducible."""
    phase = case.meta.phase.name.value if case.meta else ""
    if phase == "stateful":
        return
    call("POST", "/_sim/snapshots/prepared/restore")
    # Not what is absent: its text has an address of this run.
    parts = [part for part in [case.path_parameters, case.query, case.body] if isinstance(part, dict)]
    choice = crc32(repr(parts).encode()) if phase == "fuzzing" else 0
    deploys = isinstance(case.body, dict) and "metadata" in case.body
    if deploys:
        parts.append(case.body["metadata"])
    for part in parts:
        while isinstance(part, dict):
            put_names(case.operation, part, choice)
            # A document of /v2 has its fields further inside.
            inner = [name for name in ["data", "attributes", "spec"] if name in part]
            part = part[inner[0]] if inner and case.operation.path.startswith("/v2") else None
    if deploys:
        # Changed values are validated again. But files in a form would be judged wrongly, because it does not accept bytes
        # as strings.
        case._sync_validated_hashes()


# Refusals that no JSON Schema can describe, of a field or its content.
UNFORESEEABLE = {
    "invalid_query.cursor": "a cursor is what an earlier page ended with",
    "invalid_query.code_challenge": "one parameter needs another",
    "invalid_query.response_type": "the published list has a kind that is not on offer",
    "invalid_query.state": "the limit is on two parameters together",
    "invalid_query.schema": "which schemas there are depends on the project",
    "invalid_query.slug": "needed in the query with one of two content types, or in the body instead",
    "invalid_query.iso_timestamp_end": "two parameters are too far from each other",
    "invalid_query.name": "needed in the query with one of two content types",
    "invalid_body.migration_version": "which migrations there are depends on the branch",
    "invalid_body.data.attributes.config.url": "one kind of place needs an address",
    "invalid_body.data.attributes.config": "is needed when the kind of place changes",
    "invalid_body.organization_id": "has a newer name, which must not contradict it",
    "invalid_body.organization_slug": "has an older name, which must not contradict it",
    "invalid_body.data.attributes.region": "which regions there are is in no list",
    "invalid_body.data.attributes.custom_headers": "which headers can be sent is said by their names",
    "invalid_body.region": "one of two fields is needed; which regions there are is in no list for branches",
    "invalid_body.client_id": "may come as Basic credentials instead",
    "invalid_body.client_secret": "may come as Basic credentials instead",
    "invalid_body.metadata_xml": "is a document in another language",
    "invalid_body.metadata_url": "what is there has to be fetched",
    "invalid_body.target_version": "which versions there are depends on the project",
    "invalid_body.postgres_engine": "which versions there are depends on the profile",
    "invalid_body.secret_jwt_template": "only one kind of key has one",
    "invalid_body.metadata.entrypoint_path": "names a file of another part",
    "invalid_body.metadata.import_map_path": "names a file of another part",
    "invalid_body.addon_type": "an add-on is of one kind",
    "invalid_body.oidc_issuer_url": "one field is needed of three",
    "invalid_body.attributes": "how fast a disk can be depends on its size",
    "invalid_body.private_jwk": "which parts a key has depends on its algorithm",
    "invalid_body.rhost": "an address of either version",
    "invalid_body.ipv4_addresses": "addresses of either version",
    "invalid_body.region_selection": "which codes there are depends on the type",
    "invalid_body.file": "needed where the function does not exist yet",
    "invalid_multipart": "file names are no part of the schema",
}


@schemathesis.check
def schema_says_what_is_valid(ctx, response, case):
    """Validation must not refuse anything that the schema allows. A 400 because of the state has another reason."""
    reason = response.headers.get("x-sim-reason", [""])[0]
    # A link may put the id of another kind of thing into a path, such as a number where the schema has a UUID.
    place, _, name = reason.partition(".")
    linked = case.meta and case.meta.phase.name == TestPhase.STATEFUL and place == "invalid_path"
    if linked and name in GOOD and not re.fullmatch(GOOD[name], str(case.path_parameters[name])):
        return
    # By the schema a file may be empty, but then the call has no body.
    if reason == "invalid_body.body" and not response.request.body:
        return
    if case.meta and case.meta.generation.mode.is_positive and response.status_code == 400:
        known = any(f"{reason}.".startswith(f"{known}.") for known in UNFORESEEABLE)
        # No text contains this character, which the schemas don't repeat at each.
        rest = response.text.replace(": Invalid, must not contain U+0000", "")
        known = known or rest != response.text and not re.search(r": (Invalid|Required|Expected)", rest)
        assert not reason.startswith("invalid_") or known, f"{reason}: {response.text}"


# Operations that have no effect in this world.
IDLE = {
    "POST /v1/projects/{ref}/network-restrictions/review",
}


@schemathesis.check
class every_operation_succeeds:
    """Each operation must accept at least one call, so that nothing is hidden by a 404."""

    def __init__(self):
        self.called, self.succeeded = set(), set()

    def after_response(self, ctx, response, case):
        if case.method.upper() != case.operation.method.upper():
            return
        self.called.add(case.operation.label)
        if response.status_code < 400:
            self.succeeded.add(case.operation.label)

    def after_run(self, ctx):
        refused = self.called - self.succeeded - IDLE
        assert not refused, f"never accepted: {sorted(refused)}"
