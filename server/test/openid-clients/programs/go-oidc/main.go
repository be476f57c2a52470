// A server with go-oidc and Go's OAuth client.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

type person struct {
	Sub    string   `json:"sub"`
	Email  string   `json:"email"`
	Groups []string `json:"groups"`
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	origin := "http://localhost:" + os.Getenv("PORT")
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	check(err)
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		RedirectURL:  origin + "/callback",
		Endpoint:     provider.Endpoint(),
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email", "roles"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})
	var tokens *oauth2.Token
	var who *person

	http.HandleFunc("/login", func(response http.ResponseWriter, request *http.Request) {
		http.Redirect(response, request, config.AuthCodeURL("the state", oidc.Nonce("the nonce")), http.StatusFound)
	})
	http.HandleFunc("/callback", func(response http.ResponseWriter, request *http.Request) {
		tokens, err = config.Exchange(ctx, request.URL.Query().Get("code"))
		check(err)
		token, err := verifier.Verify(ctx, tokens.Extra("id_token").(string))
		check(err)
		check(token.VerifyAccessToken(tokens.AccessToken))
		if token.Nonce != "the nonce" || request.URL.Query().Get("state") != "the state" {
			panic("another sign-in")
		}
		who = &person{}
		check(token.Claims(who))
		http.Redirect(response, request, "/", http.StatusFound)
	})
	http.HandleFunc("/refresh", func(response http.ResponseWriter, request *http.Request) {
		// Without an access token it refreshes.
		source := config.TokenSource(ctx, &oauth2.Token{RefreshToken: tokens.RefreshToken})
		info, err := provider.UserInfo(ctx, source)
		check(err)
		who = &person{}
		check(info.Claims(who))
		check(json.NewEncoder(response).Encode(who))
	})
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		check(json.NewEncoder(response).Encode(who))
	})
	check(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}
