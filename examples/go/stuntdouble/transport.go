package stuntdouble

/*
#include <stdlib.h>
#include "stuntdouble.h"
*/
import "C"

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// Client returns a client whose requests all reach this world, whatever their host is, with the token of its first user.
func (world *World) Client() *http.Client {
	return world.ClientOf(world.Token)
}

// ClientOf is Client with another token.
func (world *World) ClientOf(token string) *http.Client {
	return &http.Client{Transport: authorized{world, token}}
}

type authorized struct {
	world *World
	token string
}

func (transport authorized) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("authorization", "Bearer "+transport.token)
	return transport.world.RoundTrip(request)
}

// RoundTrip answers a request: World is a http.RoundTripper.
//
// A fault rule breaks the answer as it would break a connection. Nothing waits: an answer that would come after the deadline of
// the request's context, or after the client's Timeout, is context.DeadlineExceeded at once; any other one arrives at once.
func (world *World) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := content(request)
	if err != nil {
		return nil, err
	}
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	found, err := world.handle(request, body)
	if err != nil {
		return nil, err
	}
	defer C.stuntdouble_response_free(found)
	mishap, takes := found.mishap, time.Duration(found.mishap_ms)*time.Millisecond
	switch {
	case mishap == C.STUNTDOUBLE_RESET:
		return nil, reset
	case mishap == C.STUNTDOUBLE_DELAYED && late(request.Context(), takes):
		return nil, context.DeadlineExceeded
	}
	response, err := answer(request, found)
	if err != nil {
		return nil, err
	}
	switch {
	case mishap == C.STUNTDOUBLE_TORN:
		response.Body = io.NopCloser(broken{response.Body, io.ErrUnexpectedEOF})
	case mishap == C.STUNTDOUBLE_SLOW && late(request.Context(), takes):
		response.Body = io.NopCloser(broken{response.Body, context.DeadlineExceeded})
	}
	return response, nil
}

// Control calls an operation of the control API, listed by GET /_sim/openapi.json, and decodes its answer into result unless
// that is nil.
func (world *World) Control(method, path string, body, result any) error {
	var encoded []byte
	if body != nil {
		var err error
		if encoded, err = json.Marshal(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequest(method, "http://stuntdouble.test"+path, bytes.NewReader(encoded))
	if err != nil {
		return err
	}
	if body != nil {
		request.Header.Set("content-type", "application/json")
	}
	answer, err := world.RoundTrip(request)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode >= 400 {
		return fmt.Errorf("%s %s: %d %s", method, path, answer.StatusCode, text)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(text, result)
}

func content(request *http.Request) ([]byte, error) {
	if request.Body == nil {
		return nil, nil
	}
	defer request.Body.Close()
	return io.ReadAll(request.Body)
}

func (world *World) handle(request *http.Request, body []byte) (*C.stuntdouble_response, error) {
	var lines strings.Builder
	if err := request.Header.Write(&lines); err != nil {
		return nil, err
	}
	if strings.ContainsRune(lines.String(), 0) {
		return nil, errors.New("stuntdouble: a header has a zero character")
	}
	method, target := C.CString(request.Method), C.CString(request.URL.String())
	headers := C.CString(lines.String())
	defer C.free(unsafe.Pointer(method))
	defer C.free(unsafe.Pointer(target))
	defer C.free(unsafe.Pointer(headers))
	var start *C.uint8_t
	if len(body) > 0 {
		start = (*C.uint8_t)(unsafe.Pointer(&body[0]))
	}
	return asked(func() *C.stuntdouble_response {
		return C.stuntdouble_handle(world.held, method, target, headers, start, C.size_t(len(body)))
	})
}

// answer copies a response of the library.
func answer(request *http.Request, found *C.stuntdouble_response) (*http.Response, error) {
	lines := strings.NewReader(C.GoString(found.headers) + "\n")
	header, err := textproto.NewReader(bufio.NewReader(lines)).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	body := C.GoBytes(unsafe.Pointer(found.body), C.int(found.body_length))
	status := int(found.status)
	return &http.Response{
		Status:        fmt.Sprintf("%d %s", status, http.StatusText(status)),
		StatusCode:    status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        http.Header(header),
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
		Request:       request,
	}, nil
}

// reset is what a client gets whose connection was reset.
var reset error = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}

// late says whether the request has no time left for what takes that long.
func late(ctx context.Context, takes time.Duration) bool {
	deadline, has := ctx.Deadline()
	return has && time.Until(deadline) < takes
}

// broken is a body that ends with an error.
type broken struct {
	body io.Reader
	err  error
}

func (broken broken) Read(into []byte) (int, error) {
	count, err := broken.body.Read(into)
	if err == io.EOF {
		err = broken.err
	}
	return count, err
}
