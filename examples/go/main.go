// An application that people sign in to with Latchkey, with Go's standard library alone.
package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"html/template"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

const home = "http://localhost:3000"

var (
	service  = os.Getenv("LATCHKEY_URL")
	clientID = os.Getenv("LATCHKEY_CLIENT_ID")
	secret   = os.Getenv("LATCHKEY_CLIENT_SECRET")
	client   = &http.Client{Timeout: 10 * time.Second}
	// Tokens stay in this process. The cookies only name them.
	sessions sync.Map
	page     = template.Must(template.New("").Parse(`<h1>The orders of {{.Name}}</h1>
<form method="post" action="/sign-out"><button>Sign out</button></form>
<a href="{{.Service}}/app/account">My sessions</a>`))
)

var errSignedOut = errors.New("the session has ended")

type tokens struct {
	sync.Mutex
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	ID      string `json:"id_token"`
}

// redeem exchanges a code or a refresh token. It returns errSignedOut if the service refuses it.
func (held *tokens) redeem(form url.Values) error {
	request, err := http.NewRequest("POST", service+"/oauth/token", strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	request.SetBasicAuth(url.QueryEscape(clientID), url.QueryEscape(secret))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return read(request, http.StatusBadRequest, held)
}

// person asks Latchkey who is signed in, and refreshes an access token that has expired.
func (held *tokens) person() (name string, err error) {
	held.Lock()
	defer held.Unlock()
	for refreshed := false; ; refreshed = true {
		request, err := http.NewRequest("GET", service+"/oauth/userinfo", nil)
		if err != nil {
			return "", err
		}
		request.Header.Set("Authorization", "Bearer "+held.Access)
		var claims struct {
			Name string `json:"preferred_username"`
		}
		err = read(request, http.StatusUnauthorized, &claims)
		if err != errSignedOut || refreshed {
			return claims.Name, err
		}
		if err = held.redeem(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {held.Refresh}}); err != nil {
			return "", err
		}
	}
}

// read sends a request, and reads its JSON. It returns errSignedOut for an answer with the status refused.
func read(request *http.Request, refused int, into any) error {
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode == refused {
		return errSignedOut
	}
	if response.StatusCode != http.StatusOK {
		return errors.New("Latchkey answers " + response.Status)
	}
	return json.NewDecoder(response.Body).Decode(into)
}

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func setCookie(response http.ResponseWriter, name, value string, seconds int) {
	http.SetCookie(response, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: seconds, HttpOnly: true,
		Secure: strings.HasPrefix(home, "https:"), SameSite: http.SameSiteLaxMode})
}

func find(request *http.Request) (id string, held *tokens) {
	cookie, err := request.Cookie("session")
	if err != nil {
		return "", nil
	}
	found, _ := sessions.Load(cookie.Value)
	held, _ = found.(*tokens)
	return cookie.Value, held
}

func signIn(response http.ResponseWriter, request *http.Request) {
	state, verifier := random(), random()
	setCookie(response, "sign-in", state+"."+verifier, 600)
	challenge := sha256.Sum256([]byte(verifier))
	query := url.Values{
		"client_id": {clientID}, "redirect_uri": {home + "/auth/callback"}, "response_type": {"code"},
		"scope": {"openid profile email"}, "state": {state}, "code_challenge_method": {"S256"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(challenge[:])},
	}
	http.Redirect(response, request, service+"/oauth/authorize?"+query.Encode(), http.StatusSeeOther)
}

func callback(response http.ResponseWriter, request *http.Request) {
	query := request.URL.Query()
	cookie, err := request.Cookie("sign-in")
	state, verifier := "", ""
	if err == nil {
		state, verifier, _ = strings.Cut(cookie.Value, ".")
	}
	if state == "" || query.Get("state") != state {
		http.Error(response, "This sign-in was begun too long ago, or in another browser.", http.StatusBadRequest)
		return
	}
	setCookie(response, "sign-in", "", -1)
	held := &tokens{}
	err = held.redeem(url.Values{"grant_type": {"authorization_code"}, "code": {query.Get("code")},
		"redirect_uri": {home + "/auth/callback"}, "code_verifier": {verifier}})
	if err == errSignedOut {
		http.Error(response, "The sign-in was refused. Begin again.", http.StatusBadRequest)
		return
	}
	if err != nil {
		http.Error(response, "Latchkey cannot be reached. Try again.", http.StatusServiceUnavailable)
		return
	}
	id := random()
	sessions.Store(id, held)
	setCookie(response, "session", id, 0)
	http.Redirect(response, request, "/orders", http.StatusSeeOther)
}

func orders(response http.ResponseWriter, request *http.Request) {
	id, held := find(request)
	if held == nil {
		http.Redirect(response, request, "/sign-in", http.StatusSeeOther)
		return
	}
	name, err := held.person()
	if err == errSignedOut {
		sessions.Delete(id)
		http.Redirect(response, request, "/sign-in", http.StatusSeeOther)
		return
	}
	if err != nil {
		http.Error(response, "Latchkey cannot be reached. Try again.", http.StatusServiceUnavailable)
		return
	}
	if err = page.Execute(response, map[string]string{"Name": name, "Service": service}); err != nil {
		log.Print(err)
	}
}

func signOut(response http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		http.Error(response, "Use POST.", http.StatusMethodNotAllowed)
		return
	}
	query := url.Values{"client_id": {clientID}, "post_logout_redirect_uri": {home + "/"}}
	if id, held := find(request); held != nil {
		held.Lock()
		query.Set("id_token_hint", held.ID)
		held.Unlock()
		sessions.Delete(id)
	}
	setCookie(response, "session", "", -1)
	http.Redirect(response, request, service+"/oauth/end-session?"+query.Encode(), http.StatusSeeOther)
}

func main() {
	http.HandleFunc("/", func(response http.ResponseWriter, _ *http.Request) {
		response.Header().Set("Content-Type", "text/html")
		response.Write([]byte(`<a href="/sign-in">Sign in</a>`))
	})
	http.HandleFunc("/sign-in", signIn)
	http.HandleFunc("/auth/callback", callback)
	http.HandleFunc("/orders", orders)
	http.HandleFunc("/sign-out", signOut)
	log.Fatal(http.ListenAndServe("localhost:3000", nil))
}
