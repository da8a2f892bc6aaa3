"""Makes an organization, a project in it and a secret. Wrong on purpose: it tries again at once, whatever happened."""

import json
import os
import sys
import urllib.request

URL, TOKEN = os.environ["STUNTDOUBLE_URL"], os.environ["STUNTDOUBLE_TOKEN"]


def call(method, path, body=None):
    request = urllib.request.Request(URL + path, method=method, data=body and json.dumps(body).encode())
    request.add_header("authorization", "Bearer " + TOKEN)
    request.add_header("content-type", "application/json")
    for _ in range(3):
        try:
            with urllib.request.urlopen(request) as answer:
                return json.loads(answer.read() or "null")
        except Exception as error:
            print(method, path, error, file=sys.stderr)
    sys.exit(1)


shop = call("POST", "/v1/organizations", {"name": "Shop"})
project = {"name": "shop", "organization_id": shop["id"], "region": "us-east-1", "plan": "pro", "db_pass": "secret"}
ref = call("POST", "/v1/projects", project)["id"]
call("POST", f"/v1/projects/{ref}/secrets", [{"name": "MODE", "value": "test"}])
