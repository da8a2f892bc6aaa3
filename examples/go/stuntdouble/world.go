// Package stuntdouble has worlds of the simulator in this process, through its C interface: no server, no socket, no wait.
//
//	world, err := stuntdouble.New(map[string]any{"seed": 7})
//	client := world.Client()
//	answer, err := client.Get("https://api.example.test/v1/projects")
//	err = world.Advance(time.Minute)
//
// To use it elsewhere, copy this folder. The compiler needs the folders of stuntdouble.h and of the shared library:
//
//	CGO_CFLAGS="-I$native/include" CGO_LDFLAGS="-L$native/lib -Wl,-rpath,$native/lib" go test ./...
package stuntdouble

/*
#cgo LDFLAGS: -lstuntdouble_c
#include <stdlib.h>
#include "stuntdouble.h"
*/
import "C"

import (
	"encoding/json"
	"errors"
	"runtime"
	"time"
	"unsafe"
)

// World is a world in this process. Any goroutine may use it, until Close.
type World struct {
	Info
	held *C.stuntdouble_world
}

// Info is what a world was when it was made.
type Info struct {
	Name string `json:"name"`
	// Token is the access token of its first user.
	Token string `json:"token"`
	Seed  uint64 `json:"seed"`
}

// New makes a world. The settings are the fields of POST /_sim/worlds: seed, scenario, seed_file, policy, service and others.
func New(settings map[string]any) (*World, error) {
	text, err := json.Marshal(settings)
	if err != nil {
		return nil, err
	}
	if settings == nil {
		text = []byte("{}")
	}
	given := C.CString(string(text))
	defer C.free(unsafe.Pointer(given))
	return holding(func() *C.stuntdouble_world { return C.stuntdouble_new(given) })
}

// Fork makes a second world, equal to this one. From then on they are independent, and either may be closed first.
func (world *World) Fork() (*World, error) {
	return holding(func() *C.stuntdouble_world { return C.stuntdouble_fork(world.held) })
}

// Close ends the world.
func (world *World) Close() {
	C.stuntdouble_free(world.held)
	world.held = nil
}

// Advance moves the clock of the world.
func (world *World) Advance(by time.Duration) error {
	return world.Control("POST", "/_sim/clock/advance", map[string]any{"ms": by.Milliseconds()}, nil)
}

func holding(make func() *C.stuntdouble_world) (*World, error) {
	held, err := asked(make)
	if err != nil {
		return nil, err
	}
	world := &World{held: held}
	return world, json.Unmarshal([]byte(C.GoString(C.stuntdouble_info(held))), &world.Info)
}

// asked returns what a function of the library gives, or else the error that the library keeps for this thread.
func asked[T any](call func() *T) (*T, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if given := call(); given != nil {
		return given, nil
	}
	return nil, errors.New(C.GoString(C.stuntdouble_last_error()))
}
