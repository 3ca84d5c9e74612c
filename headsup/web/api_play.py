"""stub"""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()


class Limits:
    pass
