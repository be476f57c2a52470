# A server with Authlib: its OAuth client, and its checks of ID tokens.
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import jwt
from authlib.oidc.core import CodeIDToken

# It refuses http otherwise.
os.environ['AUTHLIB_INSECURE_TRANSPORT'] = '1'
ISSUER, CLIENT_ID, PORT = os.environ['ISSUER'], os.environ['CLIENT_ID'], int(os.environ['PORT'])
ORIGIN = f'http://localhost:{PORT}'
provider = requests.get(f'{ISSUER}/.well-known/openid-configuration').json()
client = OAuth2Session(
    CLIENT_ID,
    os.environ['CLIENT_SECRET'],
    scope='openid profile email roles',
    redirect_uri=f'{ORIGIN}/callback',
    code_challenge_method='S256',
    token_endpoint=provider['token_endpoint'],
)
verifier, nonce = generate_token(48), generate_token()
state = None
person = None


def read_person():
    claims = client.get(provider['userinfo_endpoint']).json()
    return {name: claims[name] for name in ('sub', 'email', 'groups')}


class Pages(BaseHTTPRequestHandler):
    def do_GET(self):
        global state, person
        path = self.path.split('?')[0]
        if path == '/login':
            address, state = client.create_authorization_url(
                provider['authorization_endpoint'], code_verifier=verifier, nonce=nonce
            )
            return self.redirect(address)
        if path == '/callback':
            token = client.fetch_token(authorization_response=f'{ORIGIN}{self.path}', code_verifier=verifier, state=state)
            claims = jwt.decode(
                token['id_token'],
                requests.get(provider['jwks_uri']).json(),
                claims_cls=CodeIDToken,
                claims_options={'iss': {'value': ISSUER}, 'aud': {'value': CLIENT_ID}},
                claims_params={'nonce': nonce, 'client_id': CLIENT_ID, 'access_token': token['access_token']},
            )
            claims.validate()
            person = read_person()
            return self.redirect('/')
        if path == '/refresh':
            client.refresh_token(provider['token_endpoint'])
            person = read_person()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(person).encode())

    def redirect(self, address):
        self.send_response(302)
        self.send_header('location', address)
        self.end_headers()


HTTPServer(('localhost', PORT), Pages).serve_forever()
