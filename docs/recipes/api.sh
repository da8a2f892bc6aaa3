# Functions for the recipes. Source this file in a shell that `stuntdouble exec` started.

# A body that creates a project.
demo='{"name":"demo","organization_id":"acme","region":"us-east-1","db_pass":"a-password"}'

# api METHOD PATH [BODY]: makes a call and prints the body of the answer.
api() {
  curl -sS -X "$1" -H "Authorization: Bearer $STUNTDOUBLE_TOKEN" -H 'content-type: application/json' \
    ${3:+-d "$3"} "$STUNTDOUBLE_URL$2" && echo
}

# status METHOD PATH [BODY]: makes a call and prints status and reason.
status() {
  curl -sS -o /dev/null -X "$1" -H "Authorization: Bearer $STUNTDOUBLE_TOKEN" -H 'content-type: application/json' \
    -w '%{http_code} %header{x-sim-reason}\n' ${3:+-d "$3"} "$STUNTDOUBLE_URL$2" | sed 's/ $//'
}

# field NAME: prints the first text of that name in the JSON on standard input.
field() {
  grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4
}
