# An application with Flask and Authlib that people sign in to with Latchkey.
import os
import secrets

import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, render_template_string, session

SERVICE = os.environ['LATCHKEY_URL']
HOME = 'http://localhost:3000'

app = Flask(__name__)
app.secret_key = os.environ['SESSION_SECRET']
app.config.update(SESSION_COOKIE_SAMESITE='Lax', SESSION_COOKIE_SECURE=HOME.startswith('https:'))
# Tokens stay in this process. The cookie only names them.
tokens = {}

latchkey = OAuth(app).register(
    'latchkey',
    client_id=os.environ['LATCHKEY_CLIENT_ID'],
    client_secret=os.environ['LATCHKEY_CLIENT_SECRET'],
    server_metadata_url=f'{SERVICE}/.well-known/openid-configuration',
    client_kwargs={'scope': 'openid profile email', 'code_challenge_method': 'S256', 'default_timeout': 10},
    update_token=lambda token, **_: tokens.update({session['id']: token}),
)


def find_person():
    """Returns the claims of the person who is signed in, or None. It asks Latchkey, and refreshes a token that has expired."""
    token = tokens.get(session.get('id'))
    if token is None:
        return None
    try:
        answer = latchkey.get(f'{SERVICE}/oauth/userinfo', token=token)
    except OAuthError:
        return None
    if answer.status_code == 401:
        return None
    answer.raise_for_status()
    return answer.json()


@app.errorhandler(OAuthError)
def refuse(_error):
    """The person has cancelled, has gone back to a sign-in that was completed, or began it in another browser."""
    return 'The sign-in was refused. <a href="/sign-in">Begin again</a>', 400


@app.errorhandler(requests.RequestException)
def postpone(_error):
    return 'Latchkey cannot be reached. Try again.', 503


@app.get('/')
def home():
    return '<a href="/sign-in">Sign in</a>'


@app.get('/sign-in')
def sign_in():
    return latchkey.authorize_redirect(f'{HOME}/auth/callback')


@app.get('/auth/callback')
def callback():
    token = latchkey.authorize_access_token()
    session.clear()
    session['id'] = secrets.token_urlsafe()
    tokens[session['id']] = token
    return redirect('/orders')


@app.get('/orders')
def orders():
    person = find_person()
    if person is None:
        return redirect('/sign-in')
    return render_template_string(
        '''<h1>The orders of {{ name }}</h1>
        <form method="post" action="/sign-out"><button>Sign out</button></form>
        <a href="{{ service }}/app/account">My sessions</a>''',
        name=person['preferred_username'],
        service=SERVICE,
    )


@app.post('/sign-out')
def sign_out():
    token = tokens.pop(session.get('id'), None)
    session.clear()
    hint = f"&id_token_hint={token['id_token']}" if token else ''
    return redirect(f'{SERVICE}/oauth/end-session?client_id={latchkey.client_id}&post_logout_redirect_uri={HOME}/{hint}', 303)


app.run(port=3000)
