// Package deployer is a client to be tested: it deploys a shop. It can be given four bugs, each of which such clients have had.
package deployer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Bug is one that the client is given.
type Bug string

const (
	// BlindRetry creates again after a lost answer, without a look at what is there.
	BlindRetry Bug = "blind retry"
	// Impatient does not wait as long as retry-after says.
	Impatient Bug = "impatient"
	// Eager takes a project that was just created for one that is up.
	Eager Bug = "eager"
	// AtHome creates a project elsewhere than it was told to.
	AtHome Bug = "at home"
)

const attempts = 8

// Fields are those of a JSON object.
type Fields map[string]any

// Refused is an error that no other attempt would change.
type Refused struct{ Why string }

func (refused Refused) Error() string { return refused.Why }

// Deployer deploys the shop.
type Deployer struct {
	HTTP  *http.Client
	URL   string
	Sleep func(time.Duration) error
	Bug   Bug
}

// Release sees to it that the shop is there: an organization, a project that is up, a secret, a table.
func (deployer Deployer) Release() error {
	shop, err := deployer.ensure("/v1/organizations", Fields{"name": "Shop"})
	if err != nil {
		return err
	}
	project, err := deployer.CreateProject(Shop(shop["id"]))
	if err != nil {
		return err
	}
	ref := project["id"].(string)
	if err := deployer.WaitUntilUp(ref); err != nil {
		return err
	}
	secrets := []Fields{{"name": "MODE", "value": "live"}}
	if err := deployer.call("POST", "/v1/projects/"+ref+"/secrets", secrets, nil); err != nil {
		return err
	}
	return deployer.Query(ref, "create table if not exists item (name text)")
}

// Shop is the project that Release creates.
func Shop(organization any) Fields {
	return Fields{"name": "shop", "region": "eu-west-1", "db_pass": "a-password", "organization_id": organization}
}

// CreateProject returns the project of that name, created unless it is there.
func (deployer Deployer) CreateProject(wanted Fields) (Fields, error) {
	if deployer.Bug == AtHome {
		wanted["region"] = "us-east-1"
	}
	return deployer.ensure("/v1/projects", wanted)
}

// WaitUntilUp waits until a project can be used, for ten minutes at most.
func (deployer Deployer) WaitUntilUp(ref string) error {
	for look := 0; look < 30; look++ {
		var projects []Fields
		if err := deployer.call("GET", "/v1/projects", nil, &projects); err != nil {
			return err
		}
		project := named(projects, "id", ref)
		if deployer.Bug == Eager || project["status"] == "ACTIVE_HEALTHY" {
			return nil
		}
		if err := deployer.Sleep(20 * time.Second); err != nil {
			return err
		}
	}
	return Refused{"the project did not come up"}
}

// Query runs SQL that can be run twice without harm.
func (deployer Deployer) Query(ref, sql string) error {
	return deployer.call("POST", "/v1/projects/"+ref+"/database/query", Fields{"query": sql}, nil)
}

// ensure returns what has that name in the list at path; created unless it is there.
func (deployer Deployer) ensure(path string, wanted Fields) (Fields, error) {
	for attempt := 0; attempt < attempts; attempt++ {
		if attempt == 0 || deployer.Bug != BlindRetry {
			var all []Fields
			if err := deployer.call("GET", path, nil, &all); err != nil {
				return nil, err
			}
			if there := named(all, "name", wanted["name"]); there != nil {
				return there, nil
			}
		}
		var created Fields
		if done, err := deployer.attempt("POST", path, wanted, &created); done || err != nil {
			return created, err
		}
	}
	return nil, Refused{fmt.Sprintf("%s: no answer to %d attempts", path, attempts)}
}

// call makes a call that can be made twice without harm, until it succeeds.
func (deployer Deployer) call(method, path string, body, result any) error {
	for attempt := 0; attempt < attempts; attempt++ {
		if done, err := deployer.attempt(method, path, body, result); done || err != nil {
			return err
		}
	}
	return Refused{fmt.Sprintf("%s %s: no answer to %d attempts", method, path, attempts)}
}

// attempt makes a call and decodes its answer. It is not done, after a wait, if there was no answer or another attempt may
// succeed.
func (deployer Deployer) attempt(method, path string, body, result any) (bool, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return false, err
	}
	request, err := http.NewRequest(method, deployer.URL+path, bytes.NewReader(encoded))
	if err != nil {
		return false, err
	}
	request.Header.Set("content-type", "application/json")
	answer, err := deployer.HTTP.Do(request)
	if err != nil {
		return false, deployer.Sleep(time.Second)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	switch {
	case err != nil:
		return false, deployer.Sleep(time.Second)
	case answer.StatusCode == 429 || answer.StatusCode >= 500:
		return false, deployer.Sleep(deployer.asked(answer))
	case answer.StatusCode >= 400:
		return false, Refused{fmt.Sprintf("%s %s: %d %s", method, path, answer.StatusCode, text)}
	case result == nil:
		return true, nil
	case json.Unmarshal(text, result) != nil:
		return false, deployer.Sleep(time.Second)
	}
	return true, nil
}

// asked is how long the service asks to wait.
func (deployer Deployer) asked(answer *http.Response) time.Duration {
	if deployer.Bug == Impatient {
		return 100 * time.Millisecond
	}
	seconds, err := strconv.Atoi(answer.Header.Get("retry-after"))
	if err != nil {
		return time.Second
	}
	return time.Duration(seconds) * time.Second
}

func named(all []Fields, field string, value any) Fields {
	for _, one := range all {
		if one[field] == value {
			return one
		}
	}
	return nil
}
