package main

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var predicates = map[string]func(error) bool{
	"isNotFound":              apierrors.IsNotFound,
	"isAlreadyExists":         apierrors.IsAlreadyExists,
	"isConflict":              apierrors.IsConflict,
	"isInvalid":               apierrors.IsInvalid,
	"isGone":                  apierrors.IsGone,
	"isResourceExpired":       apierrors.IsResourceExpired,
	"isNotAcceptable":         apierrors.IsNotAcceptable,
	"isUnsupportedMediaType":  apierrors.IsUnsupportedMediaType,
	"isMethodNotSupported":    apierrors.IsMethodNotSupported,
	"isServiceUnavailable":    apierrors.IsServiceUnavailable,
	"isBadRequest":            apierrors.IsBadRequest,
	"isUnauthorized":          apierrors.IsUnauthorized,
	"isForbidden":             apierrors.IsForbidden,
	"isTimeout":               apierrors.IsTimeout,
	"isServerTimeout":         apierrors.IsServerTimeout,
	"isInternalError":         apierrors.IsInternalError,
	"isStoreReadError":        apierrors.IsStoreReadError,
	"isTooManyRequests":       apierrors.IsTooManyRequests,
	"isRequestEntityTooLarge": apierrors.IsRequestEntityTooLargeError,
	"isUnexpectedServerError": apierrors.IsUnexpectedServerError,
}

func init() {
	register("status.predicates", func(in struct {
		Status metav1.Status `json:"status"`
	}) (any, error) {
		err := &apierrors.StatusError{ErrStatus: in.Status}
		held := map[string]bool{}
		for name, predicate := range predicates {
			held[name] = predicate(err)
		}
		seconds, delay := apierrors.SuggestsClientDelay(err)
		return map[string]any{"predicates": held, "delay": delay, "seconds": seconds}, nil
	})
	register("status.generic", func(in struct {
		Code              int    `json:"code"`
		Verb              string `json:"verb"`
		Group             string `json:"group"`
		Resource          string `json:"resource"`
		Name              string `json:"name"`
		ServerMessage     string `json:"serverMessage"`
		RetryAfterSeconds int    `json:"retryAfterSeconds"`
		Unexpected        bool   `json:"unexpected"`
	}) (any, error) {
		resource := schema.GroupResource{Group: in.Group, Resource: in.Resource}
		err := apierrors.NewGenericServerResponse(in.Code, in.Verb, resource, in.Name, in.ServerMessage, in.RetryAfterSeconds, in.Unexpected)
		return err.ErrStatus, nil
	})
}
