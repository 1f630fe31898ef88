"""The web app: pages that work as plain links and forms, and the same facts as JSON."""

from botq.web.app import create_app

__all__ = ["create_app"]
